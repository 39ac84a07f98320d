// Whether what is shown is true now: a word, an icon and a colour, and a sentence where it is not.

import { find, show, state, write } from "./dom.js";
import { duration, say } from "./words.js";

/** @returns {"working"|"impaired"|"failing"} */
export function standing(floor, isSign) {
  if (!floor.isStale) return "working";
  return isSign && floor.isLost ? "failing" : "impaired";
}

const WORDS = { working: "live", impaired: "not_current", failing: "not_available" };

export function writeStanding(floor, isSign) {
  const now = standing(floor, isSign);
  const mark = find("standing");
  state(mark, now);
  write(find("standing-word", mark), say(WORDS[now]));
  const banner = find("banner");
  show(banner, now !== "working");
  state(banner, now);
  write(find("banner-text", banner), sentence(floor, now));
  if (document.body.dataset.standing !== now) document.body.dataset.standing = now;
}

function sentence(floor, standing) {
  if (!floor.isKnown) return say("no_value_yet");
  const age = duration(floor.ageMs);
  return standing === "failing" ? say("unavailable_for", { age }) : say("stale_for", { age });
}
