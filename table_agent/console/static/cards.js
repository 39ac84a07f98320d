// Cards: a royal or straight flush by its suit, its top card and whose they are; any hand card by card.

import { closeSheet, openSheet } from "./dialog.js";
import { button, make } from "./dom.js";

const RANKS = "AKQJT98765432";
const SUITS = { s: ["\u2660", "spades"], h: ["\u2665", "hearts"], c: ["\u2663", "clubs"], d: ["\u2666", "diamonds"] };
const RANK_NAMES = { A: "ace", K: "king", Q: "queen", J: "jack", T: "ten" };

export function chooseRun(seat, hand, state, send) {
  const picked = { suit: null, top: hand === "royal-flush" ? "A" : null, own: new Set() };
  const body = make("div", "body run");
  const known = words(state.outcome.shared_cards);
  const done = async () => {
    const cards = run(picked);
    const own = cards.filter((card) => picked.own.has(card));
    closeSheet();
    await send({ tap: "shared-cards", place: "", cards: cards.filter((card) => !picked.own.has(card)).join(" ") });
    await send({ tap: "hand", place: "", seat, hand, cards: own.join(" "), folded: false });
  };
  const withoutCards = () => {
    closeSheet();
    send({ tap: "hand", place: "", seat, hand, cards: "", folded: false });
  };
  const set = (name, value) => {
    picked[name] = value;
    picked.own = new Set(alreadyOwn(run(picked), known, state.own_cards));
    draw();
  };
  const toggle = (card) => {
    if (!picked.own.delete(card)) picked.own.add(card);
    draw();
  };
  const draw = () => {
    const parts = [row("Suit", Object.entries(SUITS).map(([suit, [mark, name]]) => pick(mark, name, picked.suit === suit, () => set("suit", suit), `suit suit-${suit}`)))];
    if (hand === "straight-flush") {
      parts.push(row("Highest card", [..."KQJT98765"].map((top) => pick(shown(top), RANK_NAMES[top] ?? top, picked.top === top, () => set("top", top)))));
    }
    const cards = run(picked);
    parts.push(row(`Touch the ${state.own_cards} ${state.own_cards_name} of seat ${seat}; the others are the ${state.shared_cards_name}`, cards.map((card) => cardButton(card, picked.own.has(card), () => toggle(card)))));
    const finish = button("main", "These are the cards", done);
    finish.disabled = cards.length === 0 || picked.own.size !== state.own_cards;
    parts.push(make("div", "row ends", "", [button("quiet", "Without cards: a supervisor confirms", withoutCards), finish]));
    keepingFocus(body, () => body.replaceChildren(...parts));
  };
  draw();
  openSheet(`Seat ${seat}: ${hand.replace("-", " ")}, by its cards`, body, { at: state.place });
}

export function chooseCards(seat, state, send) {
  const own = new Set(words(state.outcome.hands.find((one) => one.seat === seat)?.cards ?? ""));
  const shared = new Set(words(state.outcome.shared_cards));
  const body = make("div", "body deck");
  const done = async () => {
    closeSheet();
    await send({ tap: "shared-cards", place: "", cards: [...shared].join(" ") });
    await send({ tap: "hand", place: "", seat, hand: null, cards: [...own].join(" "), folded: false });
  };
  const toggle = (card) => {
    if (own.delete(card) || shared.delete(card)) draw();
    else if (own.size < state.own_cards) own.add(card);
    else if (shared.size < state.shared_cards) shared.add(card);
    draw();
  };
  const draw = () => {
    const isOwnNext = own.size < state.own_cards;
    const asks = isOwnNext ? `Now the ${state.own_cards} ${state.own_cards_name} of seat ${seat}` : `Now the ${state.shared_cards} ${state.shared_cards_name}`;
    const isWhole = own.size === state.own_cards && shared.size === state.shared_cards;
    const finish = button("main", "These are the cards", done);
    finish.disabled = !isWhole;
    const grid = make("div", "grid", "", Object.keys(SUITS).flatMap((suit) => [...RANKS].map((rank) => {
      const card = rank + suit;
      const made = cardButton(card, own.has(card), () => toggle(card));
      made.classList.toggle("shared", shared.has(card));
      return made;
    })));
    keepingFocus(body, () => body.replaceChildren(make("p", "label", isWhole ? "All cards are there." : `${asks}.`), grid, make("div", "row ends", "", [finish])));
  };
  draw();
  openSheet(`Seat ${seat}: all cards`, body, { at: state.place });
}

/** The five cards from the top down; an ace below a two. */
function run({ suit, top }) {
  if (suit === null || top === null) return [];
  const from = RANKS.indexOf(top);
  return [...(RANKS + "A").slice(from, from + 5)].map((rank) => rank + suit);
}

/** What another winner's cards have told already. */
function alreadyOwn(cards, known, count) {
  const own = cards.filter((card) => !known.includes(card));
  return own.length === count ? own : [];
}

function row(label, children) {
  return make("div", "part", "", [make("p", "label", label), make("div", "row", "", children)]);
}

function pick(text, name, isPicked, onClick, className = "") {
  const made = button(`pick ${className}`.trim(), text, onClick);
  made.setAttribute("aria-label", name);
  made.setAttribute("aria-pressed", String(isPicked));
  return made;
}

function cardButton(card, isOwn, onClick) {
  const [rank, suit] = card;
  const [mark, name] = SUITS[suit];
  return pick(`${shown(rank)}${mark}`, `${RANK_NAMES[rank] ?? rank} of ${name}`, isOwn, onClick, `card suit-${suit}`);
}

function shown(rank) {
  return rank === "T" ? "10" : rank;
}

function words(cards) {
  return cards ? cards.split(" ") : [];
}

/** Whoever works by keyboard stays where they were. */
function keepingFocus(body, redraw) {
  const label = body.contains(document.activeElement) ? document.activeElement.getAttribute("aria-label") : null;
  redraw();
  if (label !== null) body.querySelector(`[aria-label="${label}"]`)?.focus();
}
