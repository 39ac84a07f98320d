// Two clocks: one that never goes back and does not stop while the machine sleeps, for ages; and the
// server's time of day, for people. The screen's own time of day may be wrong, so nothing rests on it.

const LEAP_MS = 1000;

let leapt = 0;
let lastMonotonic = performance.now();
let lastWall = Date.now();
let leaps = 0;

/** Milliseconds since some moment. A browser's monotonic clock may stand still in sleep. */
export function now() {
  const monotonic = performance.now();
  const wall = Date.now();
  const leap = wall - lastWall - (monotonic - lastMonotonic);
  if (leap > LEAP_MS) {
    leapt += leap;
    leaps += 1;
  }
  lastMonotonic = monotonic;
  lastWall = wall;
  return monotonic + leapt;
}

/** How often the machine has slept, or had its clock put forward: which of them, nobody can tell. */
export function leapsSoFar() {
  return leaps;
}

/** The server's time of day, as the frames tell it. */
export class ServerClock {
  #ahead = null;
  #shown = 0;

  /** @param {number} serverMs the server's time, at this moment of ours */
  set(serverMs, at) {
    this.#ahead = serverMs - at;
  }

  get isKnown() {
    return this.#ahead !== null;
  }

  /** A frame that came a little late must not turn the clock back by a second. */
  at(moment) {
    const time = moment + this.#ahead;
    this.#shown = time < this.#shown && this.#shown - time < 2000 ? this.#shown : time;
    return this.#shown;
  }
}
