// What is on this screen, told to the house: proof of display, and what starts the clock of a notice.
//
// Only what was painted is reported, and only while somebody could see it: a hidden page is given no
// frames to paint, and asks again before it speaks. A page that is not current has nothing to say.

import { now } from "./time.js";

const EVERY_MS = 10_000;
const PATIENCE_MS = 5000;

export class Reporter {
  #see;
  #pending = false;
  #isSending = false;
  #sentAt = -Infinity;
  #sentNotices = "";
  /** The first entry of each meter that was painted since the last report. */
  #first = new Map();

  /** @param {() => {meters: {meter: string, seq: number, value_micros: number}[], notices: string[]} | null} see */
  constructor(see) {
    this.#see = see;
  }

  /** To be called when something may have changed, and a few times a second. */
  look() {
    if (this.#pending || document.hidden) return;
    this.#pending = true;
    requestAnimationFrame(() => {
      const seen = this.#see();
      // The frame is painted when the browser turns to its next task.
      setTimeout(() => {
        this.#pending = false;
        if (seen !== null && !document.hidden) this.#painted(seen);
      });
    });
  }

  #painted(seen) {
    this.#remember(seen.meters);
    const notices = seen.notices.join();
    const isDue = now() - this.#sentAt >= EVERY_MS || notices !== this.#sentNotices;
    if (isDue && !this.#isSending && seen.meters.length + seen.notices.length > 0) {
      this.#send(seen, notices);
    }
  }

  #remember(meters) {
    const first = new Map();
    for (const { meter, seq } of meters) {
      first.set(meter, Math.min(seq, this.#first.get(meter) ?? seq));
    }
    this.#first = first;
  }

  async #send(seen, notices) {
    this.#isSending = true;
    const meters = seen.meters.map(({ meter, seq, value_micros }) => ({
      meter,
      from_seq: this.#first.get(meter),
      to_seq: seq,
      value_micros,
    }));
    if (await isHeard({ meters, notices: seen.notices })) {
      this.#first.clear();
      this.#sentAt = now();
      this.#sentNotices = notices;
    } else {
      this.#sentAt = now() - EVERY_MS / 2;
    }
    this.#isSending = false;
  }
}

async function isHeard(report) {
  const patience = new AbortController();
  const timer = setTimeout(() => patience.abort(), PATIENCE_MS);
  try {
    const headers = { "Content-Type": "application/json" };
    const body = JSON.stringify(report);
    return (await fetch("/v1/display", { method: "POST", headers, body, signal: patience.signal })).ok;
  } catch {
    return false; // the house is away: the next report says it all again
  } finally {
    clearTimeout(timer);
  }
}

/** Whether all of an element is on the screen and nothing lies over it. */
export function isInSight(element) {
  const { left, top, right, bottom, width, height } = element.getBoundingClientRect();
  const fits = left >= 0 && top >= 0 && right <= innerWidth && bottom <= innerHeight;
  if (width === 0 || height === 0 || !fits) return false;
  const places = [0.1, 0.5, 0.9].map((share) => [left + width * share, top + height / 2]);
  return places.every(([x, y]) => element.contains(document.elementFromPoint(x, y)));
}
