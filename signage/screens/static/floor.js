// What this screen knows of the floor: the latest that it was told, and how old that is.

import { ServerClock, now } from "./time.js";

/** Not a fresh frame for so long: the page says that it is not current. */
export const STALE_MS = 5000;
/** For so long: a table's jackpot is not available. */
export const LOST_MS = 30_000;

export class Floor {
  clock = new ServerClock();
  table = null;
  meters = [];
  hits = [];
  order = 0;
  #readAt = -Infinity;
  #id = null;

  /** Milliseconds since the database was read for what is shown. */
  get ageMs() {
    return now() - this.#readAt;
  }

  get isStale() {
    return this.ageMs > STALE_MS;
  }

  get isLost() {
    return this.ageMs > LOST_MS;
  }

  get isKnown() {
    return this.#id !== null;
  }

  /**
   * Take what was said at a moment of ours, unless it is older than what is shown.
   * @returns {boolean} false where it builds on something that this page does not have
   */
  take(kind, said, id, sentAt) {
    // A restored database begins at a lower order; by then the screen has said that it knows nothing.
    if (said.order < this.order && !this.isLost) {
      return true;
    }
    if (kind === "floor") {
      this.#id = id;
      this.table = said.table;
      this.meters = said.meters;
      this.hits = said.hits;
    } else if (id === this.#id) {
      this.#move(said.meters);
    } else {
      return false;
    }
    this.order = said.order;
    this.#readAt = sentAt - said.age_ms;
    this.clock.set(Date.parse(said.read_at), this.#readAt);
    return true;
  }

  #move(moved) {
    this.meters = this.meters.map((meter) => ({
      ...meter,
      ...moved.find((one) => one.meter === meter.meter),
    }));
  }
}
