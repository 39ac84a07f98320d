// How long a frame was on its way. The gateway's clock and ours began at different moments: the
// quickest frame of the last minutes tells by how much, and what took longer was held up by the rest.

const SPAN_MS = 60_000;

export class Delay {
  #before = Infinity;
  #now = Infinity;
  #since = 0;

  /** @returns {number} milliseconds beyond the quickest */
  of(sentMs, receivedMs) {
    // Two clocks drift apart: what was quickest an hour ago says nothing today.
    if (receivedMs - this.#since > SPAN_MS) {
      this.#before = this.#now;
      this.#now = Infinity;
      this.#since = receivedMs;
    }
    this.#now = Math.min(this.#now, receivedMs - sentMs);
    return receivedMs - sentMs - Math.min(this.#now, this.#before);
  }
}
