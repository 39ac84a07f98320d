// The stream of frames from the gateway. It comes back by itself after anything: the browser repeats a
// lost connection, and what the browser does not notice or gives up on is begun anew from here.

import { Delay } from "./delay.js";
import { leapsSoFar, now } from "./time.js";

const SILENT_MS = 4000;
/** So that a thousand screens do not come back in the same instant. */
const SPREAD_MS = 2000;

export class Stream {
  #url;
  #take;
  #source = null;
  #delay = new Delay();
  #silentUntil = 0;
  #leaps = leapsSoFar();

  /** @param {(kind: string, said: object, id: string, at: number) => boolean} take says whether it could use it */
  constructor(url, take) {
    this.#url = url;
    this.#take = take;
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

  close() {
    this.#source?.close();
  }

  #open() {
    this.close();
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
  }

  #live() {
    const at = now();
    this.#silentUntil = at + SILENT_MS;
    return at;
  }

  #heard(kind, event) {
    const at = this.#live();
    const said = JSON.parse(event.data);
    const sentAt = at - this.#delay.of(said.sent_ms, at);
    if (!this.#take(kind, said, event.lastEventId, sentAt)) {
      this.#open();
    }
  }
}
