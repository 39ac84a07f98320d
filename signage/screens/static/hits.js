// Prizes off the meters, latest first.

import { fill, find, make, write } from "./dom.js";
import { amount } from "./money.js";
import { say, timeOf } from "./words.js";

/** The amount, or that a manager is still verifying the hand. */
export function prize(hit) {
  return hit.amount_micros === null ? say("being_verified") : amount(hit.amount_micros);
}

/** An amount that may still change is never shown without saying so. */
export function isUnsure(hit) {
  return !hit.verified && hit.amount_micros !== null;
}

export function fillHits(list, hits, nowMs) {
  fill(list, [...hits].reverse(), makeRow, (row, hit) => {
    write(find("hand", row), say(hit.hand));
    write(find("prize", row), prize(hit));
    write(find("where", row), where(hit, nowMs));
  });
}

function where(hit, nowMs) {
  const words = [say("table", { name: hit.table }), timeOf(Date.parse(hit.at), nowMs)];
  return (isUnsure(hit) ? [...words, say("being_verified")] : words).join(" · ");
}

function makeRow() {
  const row = make("li", "hit");
  for (const part of ["hand", "prize", "where"]) {
    const element = make("span", part === "prize" ? "prize money" : part);
    element.dataset.part = part;
    row.append(element);
  }
  return row;
}
