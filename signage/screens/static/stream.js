// The stream of frames from the gateway. It comes back by itself after anything: the browser repeats a
// lost connection, and what the browser does not notice or gives up on is begun anew from here.

import { Delay } from "./delay.js";
import { leapsSoFar, now } from "./time.js";

const SILENT_MS = 4000;
/** So that a thousand screens do not come back in the same instant. */
const SPREAD_MS = 2000;

export class Stream {
  #url;
  #hear;
  #source = null;
  #delay = new Delay();
  #silentUntil = 0;
  #isHeard = false;
  #leaps = leapsSoFar();

  /**
   * @param {{frame: Function, screen: Function}} hear `frame(kind, said, id, sentAt)` says whether it could
   *   use it; `screen(said)` is told what this screen is for
   */
  constructor(url, hear) {
    this.#url = url;
    this.#hear = hear;
    this.#open();
  }

  /** To be called a few times a second. */
  check() {
    const slept = this.#leaps !== leapsSoFar();
    // What the network held while we slept is as old as the sleep, and would look fresh.
    if (slept || now() > this.#silentUntil) {
      this.#open();
    }
  }

  /** Whether something was heard on this connection, and not long ago. */
  get isLive() {
    return this.#isHeard && now() <= this.#silentUntil;
  }

  #open() {
    this.#source?.close();
    this.#isHeard = false;
    this.#leaps = leapsSoFar();
    this.#delay = new Delay();
    this.#silentUntil = now() + SILENT_MS + Math.random() * SPREAD_MS;
    const source = new EventSource(this.#url);
    this.#source = source;
    for (const kind of ["floor", "values"]) {
      source.addEventListener(kind, (event) => this.#heard(kind, event));
    }
    // The gateway is there and has nothing to tell: another connection would not help.
    source.addEventListener("waiting", () => this.#live());
    source.addEventListener("screen", (event) => {
      this.#live();
      this.#hear.screen(JSON.parse(event.data));
    });
  }

  #live() {
    const at = now();
    this.#silentUntil = at + SILENT_MS;
    this.#isHeard = true;
    return at;
  }

  #heard(kind, event) {
    const at = this.#live();
    const said = JSON.parse(event.data);
    const sentAt = at - this.#delay.of(said.sent_ms, at);
    if (!this.#hear.frame(kind, said, event.lastEventId, sentAt)) {
      this.#open();
    }
  }
}
