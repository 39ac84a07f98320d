// A seat that won: one tap for its hand. A royal or straight flush goes on to its cards.

import { chooseCards, chooseRun } from "./cards.js";
import { choices, closeSheet, openSheet } from "./dialog.js";

export const METER_HANDS = ["royal-flush", "straight-flush"];

export function chooseHand(seat, state, send) {
  const declared = state.outcome.hands.find((one) => one.seat === seat);
  const items = state.pay_table.map(({ hand, title, pays }) => ({ text: title, small: pays, onClick: () => declare(seat, hand, state, send) }));
  items.push({ text: "Enter all cards", small: "what the cards say wins", onClick: () => chooseCards(seat, state, send) });
  if (declared) {
    items.push({ text: declared.folded ? "It did not fold" : "It folded", small: declared.folded ? "the hand counts" : "no jackpot for it", onClick: () => turn(declared, send) });
    items.push({ text: "No hand after all", small: "take it back", onClick: () => takeBack(seat, send) });
  }
  openSheet(`Seat ${seat}: which hand?`, choices(items, { columns: 3, each: 15, className: "hands" }), { at: state.place });
}

export function turn(declared, send) {
  closeSheet();
  return send({ tap: "hand", place: "", ...declared, folded: !declared.folded });
}

function declare(seat, hand, state, send) {
  if (METER_HANDS.includes(hand)) {
    chooseRun(seat, hand, state, send);
    return;
  }
  closeSheet();
  send({ tap: "hand", place: "", seat, hand, cards: "", folded: false });
}

function takeBack(seat, send) {
  closeSheet();
  send({ tap: "hand", place: "", seat, hand: null, cards: "", folded: false });
}
