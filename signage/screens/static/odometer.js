// The figure of a meter. It climbs to the recorded value and never past it; it falls at once.
//
// Digits change, they do not roll: half a digit on a photograph would be no figure at all.

import { fit } from "./fit.js";
import { centsCut, dollarsAndCents } from "./money.js";
import { now } from "./time.js";

/** As long as frames are apart at most, so that the climb ends about when the next one begins. */
const CLIMB_MS = 1000;
const still = matchMedia("(prefers-reduced-motion: reduce)");

export class Odometer {
  #dollars;
  #cents;
  #figure;
  #target = null;
  #epoch = null;
  #from = 0;
  #shown = null;
  #began = 0;
  #pending = 0;

  constructor(figure) {
    this.#figure = figure;
    this.#dollars = document.createElement("span");
    this.#cents = document.createElement("span");
    this.#cents.className = "cents";
    figure.replaceChildren(this.#dollars, this.#cents);
  }

  /** What stands there, in cents; null before the first value. */
  get shownCents() {
    return this.#shown;
  }

  set(valueMicros, epoch) {
    const target = centsCut(valueMicros);
    const fell = this.#target === null || target < this.#target || epoch !== this.#epoch;
    const rose = target > this.#target;
    this.#target = target;
    this.#epoch = epoch;
    if (fell || still.matches || document.hidden) {
      this.#write(target);
    } else if (rose) {
      this.#from = this.#shown;
      this.#began = now();
      this.#climb();
    }
  }

  clear() {
    this.#target = null;
    this.#shown = null;
    this.#dollars.textContent = "";
    this.#cents.textContent = "";
  }

  #climb() {
    cancelAnimationFrame(this.#pending);
    this.#pending = requestAnimationFrame(() => {
      if (this.#target === null || this.#shown >= this.#target) return;
      const part = Math.min(1, (now() - this.#began) / CLIMB_MS);
      this.#write(Math.min(this.#target, this.#from + Math.floor((this.#target - this.#from) * part)));
      this.#climb();
    });
  }

  #write(cents) {
    if (cents === this.#shown) return;
    this.#shown = cents;
    const text = dollarsAndCents(cents);
    const [dollars, rest] = [text.slice(0, -3), text.slice(-3)];
    const longer = dollars.length !== this.#dollars.textContent.length;
    this.#dollars.textContent = dollars;
    this.#cents.textContent = rest;
    if (longer) fit(this.#figure);
  }
}
