// The agent on this tablet: its state again and again, and the taps it is told, one after the other.

const EVERY_MS = 300;
const PATIENCE_MS = 2500;
/** A supervisor's approval goes to the server and back. */
const TAP_PATIENCE_MS = 20_000;

export class Agent {
  state = null;
  #onState;
  #onGone;
  #taps = Promise.resolve();
  #tapped = 0;

  /** @param {(state: object) => void} onState
   *  @param {(isGone: boolean) => void} onGone */
  constructor(onState, onGone) {
    this.#onState = onState;
    this.#onGone = onGone;
  }

  async run() {
    for (;;) {
      await this.#look();
      await new Promise((wake) => setTimeout(wake, EVERY_MS));
    }
  }

  /** @returns {Promise<{declined?: string, needs?: {key: string, title: string}}>} */
  tap(tap) {
    const body = { ...tap };
    if ("place" in body) body.place = this.state.place;
    const told = this.#taps.then(() => this.#send(body));
    this.#taps = told;
    return told;
  }

  async #look() {
    const tapped = this.#tapped;
    try {
      const response = await fetch("/state", { signal: AbortSignal.timeout(PATIENCE_MS) });
      if (!response.ok) throw new Error(`HTTP ${response.status}`);
      const state = await response.json();
      // What was asked before a tap may be older than the tap's own answer.
      if (tapped === this.#tapped) this.#take(state);
    } catch {
      this.#onGone(true);
    }
  }

  async #send(body) {
    this.#tapped += 1;
    try {
      const response = await fetch("/taps", {
        method: "POST",
        headers: { "Content-Type": "application/json" },
        body: JSON.stringify(body),
        signal: AbortSignal.timeout(TAP_PATIENCE_MS),
      });
      const told = await response.json();
      if (told.state) this.#take(told.state);
      return told;
    } catch {
      return { declined: "This tablet's agent did not answer: look at the screen, then tap again." };
    } finally {
      this.#tapped += 1;
    }
  }

  #take(state) {
    this.state = state;
    this.#onGone(false);
    this.#onState(state);
  }
}
