// Irregularities of this game in the dealer's words, and the hand that was overlooked.

import { choices, closeSheet, openSheet } from "./dialog.js";
import { button, make } from "./dom.js";

export const TOO_EARLY = "begun-by-mistake";

export function chooseIrregularity(state, send) {
  const items = state.irregularities.map((one) => ({
    text: one.title,
    onClick: () => (one.effect === "settle" ? settle(one, send) : confirm(one, state, send)),
  }));
  openSheet("What happened?", choices(items, { columns: 3, each: 18, className: "cases" }), { at: state.place });
}

/** The jackpot is settled despite this one: the outcome is recorded next. */
function settle(one, send) {
  closeSheet();
  send({ tap: "settle-despite", place: "", case: one.case });
}

export function declareTooEarly(send) {
  return send({ tap: "declare", place: "", case: TOO_EARLY, seats: [], joining: [], reason: "" });
}

function confirm(one, state, send) {
  const seats = new Set();
  const joining = new Set();
  const parts = [make("p", "what", one.what_happens), make("p", "why", `${one.rule}. Declared by a ${one.rank} or above.`)];
  const all = Array.from({ length: state.seats }, (_, index) => index + 1);
  if (one.names_seats) parts.push(seatRow(one.admits_seats ? "Wagers that go back" : "The seats this concerns", state.round.seats, seats));
  if (one.admits_seats) parts.push(seatRow("Wagers on the layout that were not lit", all.filter((seat) => !state.round.seats.includes(seat)), joining));
  const declare = () => {
    closeSheet();
    send({ tap: "declare", place: "", case: one.case, seats: [...seats], joining: [...joining], reason: "" });
  };
  parts.push(make("div", "row ends", "", [button("main", "Declare it", declare)]));
  openSheet(one.title, make("div", "body confirm", "", parts), { at: state.place });
}

function seatRow(label, numbers, chosen) {
  const buttons = numbers.map((seat) => {
    const made = button("pick", String(seat), () => {
      if (!chosen.delete(seat)) chosen.add(seat);
      made.setAttribute("aria-pressed", String(chosen.has(seat)));
    });
    made.setAttribute("aria-label", `Seat ${seat}`);
    made.setAttribute("aria-pressed", "false");
    return made;
  });
  return make("div", "part", "", [make("p", "label", label), make("div", "row", "", buttons)]);
}

export function chooseOverlooked(state, send) {
  const items = state.last_round.seats.map((seat) => {
    const held = state.last_round.hands.find((one) => one.seat === seat);
    return { text: `Seat ${seat}`, small: held ? held.hand.replaceAll("-", " ") : "no hand", onClick: () => chooseRight(seat, state, send) };
  });
  openSheet("Overlooked or wrong bonus hand of the last round: which seat?", choices(items), { at: state.place });
}

function chooseRight(seat, state, send) {
  const correct = (hand) => {
    closeSheet();
    send({ tap: "correct-bonus", place: "", hands: [{ seat, hand }] });
  };
  const bonus = state.pay_table.filter(({ hand }) => !["royal-flush", "straight-flush"].includes(hand));
  const items = bonus.map(({ hand, title, pays }) => ({ text: title, small: pays, onClick: () => correct(hand) }));
  items.push({ text: "No bonus hand", small: "pays nothing", onClick: () => correct(null) });
  openSheet(`Seat ${seat}: what it held`, choices(items), { at: state.place });
}
