// A hit, told large. Hits that overlap wait for their turn, each with its place in the order; those
// that wait are named at once below, so that none is on the screen later than another.

import { fill, find, make, show, write } from "./dom.js";
import { fitAll } from "./fit.js";
import { isUnsure, prize } from "./hits.js";
import { now } from "./time.js";
import { say } from "./words.js";

const ALONE_MS = 15_000;
const BEFORE_NEXT_MS = 6000;
/** What happened longer ago is listed, and not news any more. */
const NEWS_MS = 120_000;
const WAITING_MAX = 12;
const NAMED_MAX = 3;

export class Celebration {
  #panel;
  #heard = null;
  #seen = new Set();
  #queue = [];
  #told = 0;
  #since = 0;

  constructor(panel) {
    this.#panel = panel;
  }

  get isOn() {
    return this.#queue.length > 0;
  }

  /** The hits as the floor has them now, oldest first; one may have been verified meanwhile. */
  hear(hits, nowMs) {
    if (hits === this.#heard) return;
    this.#heard = hits;
    const isNews = (hit) => !this.#seen.has(hit.hit) && nowMs - Date.parse(hit.at) < NEWS_MS;
    const news = hits.filter(isNews).slice(0, WAITING_MAX - this.#queue.length);
    this.#seen = new Set(hits.map((hit) => hit.hit));
    this.#queue = this.#queue.map((told) => hits.find((hit) => hit.hit === told.hit) ?? told);
    if (!this.isOn) {
      this.#told = 0;
      this.#since = now();
    }
    this.#queue.push(...news);
    this.#write();
  }

  /** To be called a few times a second. */
  check() {
    const turn = this.#queue.length > 1 ? BEFORE_NEXT_MS : ALONE_MS;
    if (this.isOn && now() - this.#since > turn) {
      this.#queue.shift();
      this.#told += 1;
      this.#since = now();
      this.#write();
    }
  }

  #write() {
    show(this.#panel, this.isOn);
    document.body.classList.toggle("celebrating", this.isOn);
    const [hit, ...waiting] = this.#queue;
    if (hit === undefined) return;
    const part = (name) => find(name, this.#panel);
    const place = this.#told + 1;
    const of = this.#told + this.#queue.length;
    write(part("celebrated-order"), of > 1 ? say("order", { place, of }) : "");
    write(part("celebrated-hand"), say(hit.hand));
    write(part("celebrated-prize"), prize(hit));
    show(part("celebrated-verifying"), isUnsure(hit));
    write(part("celebrated-table"), say("table", { name: hit.table }));
    write(part("celebrated-seq"), say("meter_seq", { meter: hit.meter, seq: hit.meter_seq }));
    fill(part("celebrated-next"), waiting.slice(0, NAMED_MAX), () => make("li"), (row, next, index) => {
      write(row, `${say("order", { place: place + 1 + index, of })} · ${say(next.hand)} · ${say("table", { name: next.table })} · ${prize(next)}`);
    });
    fitAll(this.#panel);
  }
}
