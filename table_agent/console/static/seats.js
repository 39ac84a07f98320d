// The seats as the dealer sees them: an arc, numbered from the dealer's left.

import { button, fill, make, withKey, write } from "./dom.js";

export function drawSeats(parent, state, onSeat) {
  const seats = Array.from({ length: state.seats }, (_, index) => index + 1);
  const makeOne = () => make("li", "", "", [withKey(button("seat", "", (event) => onSeat(Number(event.currentTarget.value)), [make("b"), make("small")]), "F1")]);
  fill(parent, seats, makeOne, (item, seat) => fillOne(item, seat, state));
}

function fillOne(item, seat, state) {
  const [pressed] = item.children;
  const [number, word, key] = pressed.children;
  const { look, text, isPressable } = standing(seat, state);
  const angle = state.seats === 1 ? Math.PI / 2 : Math.PI * (1 - (seat - 1) / (state.seats - 1));
  item.style.setProperty("--across", Math.cos(angle).toFixed(4));
  item.style.setProperty("--up", Math.sin(angle).toFixed(4));
  pressed.value = String(seat);
  pressed.disabled = !isPressable;
  if (pressed.dataset.look !== look) pressed.dataset.look = look;
  pressed.setAttribute("aria-pressed", String(look !== "empty"));
  write(number, String(seat));
  write(word, text);
  write(key, `F${seat}`);
  pressed.dataset.key = `F${seat}`;
  pressed.setAttribute("aria-keyshortcuts", `F${seat}`);
  pressed.setAttribute("aria-label", `Seat ${seat}: ${text || "no wager"}`);
}

/** How a seat looks, and the word that says the same. */
function standing(seat, state) {
  if (state.round !== null) return inRound(seat, state);
  const isChosen = state.chosen.includes(seat);
  const isPressable = state.step === "betting";
  if (state.carried.includes(seat)) {
    return { look: isChosen ? "in" : "back", text: isChosen ? "stands" : "give back", isPressable };
  }
  if (!isChosen) return { look: "empty", text: "", isPressable };
  return state.proposed.includes(seat) ? { look: "proposed", text: "again", isPressable } : { look: "in", text: "wager", isPressable };
}

function inRound(seat, state) {
  if (!state.round.seats.includes(seat)) return { look: "empty", text: "", isPressable: false };
  const isPressable = state.step === "playing" && !state.link.kept_out;
  const report = state.outcome?.hands.find((one) => one.seat === seat);
  if (!report) return { look: "in", text: state.round.recorded ? "in" : "waits", isPressable };
  if (report.folded) return { look: "back", text: "folded", isPressable };
  const read = state.outcome.read.find((one) => one.seat === seat);
  return { look: "won", text: read?.title ?? (report.hand ?? "cards").replaceAll("-", " "), isPressable };
}
