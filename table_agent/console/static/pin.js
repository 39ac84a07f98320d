// Who somebody is: a card, or a number, and then the PIN, masked and on keys that lie elsewhere each time.

import { closeSheet, openSheet } from "./dialog.js";
import { button, make, write } from "./dom.js";
import { Typing } from "./keys.js";

const DIGITS = ["1", "2", "3", "4", "5", "6", "7", "8", "9", "0"];
const NUMBER_MAX = 20;
const PIN_MAX = 12;

/** @returns {Promise<{number?: string, card?: string, pin: string}|{asked: number}|{declined: string}|null>}
 *  null where they went back; asked or declined where somebody answered from elsewhere */
export function askPerson({ title, sentence = "", card = null, elsewhere = null }) {
  return new Promise((resolve) => {
    let answer = null;
    const finish = (found) => {
      answer = found;
      closeSheet();
    };
    let isOpen = true;
    const onClose = () => {
      isOpen = false;
      resolve(answer);
    };
    const said = elsewhere ? `${sentence} Waiting for approval, or enter the PIN here.` : sentence;
    elsewhere?.answered.then((found) => found && isOpen && finish(found));
    if (card !== null) askPin(title, said, { card }, finish, onClose);
    else askWho(title, said, (who) => askPin(title, said, who, finish, onClose), onClose);
  });
}

function askWho(title, sentence, onWho, onClose) {
  const replaced = { yes: false };
  const next = (who) => {
    replaced.yes = true;
    onWho(who);
  };
  const pad = keypad({
    label: "Present the card, or enter the staff number",
    order: DIGITS,
    most: NUMBER_MAX,
    done: "Next: PIN",
    shown: (text) => text,
    onDone: (number) => next({ number }),
    onCard: (card) => next({ card }),
  });
  openSheet(title, body(sentence, pad), { onClose: () => replaced.yes || onClose() });
}

function askPin(title, sentence, who, onDone, onClose) {
  const pad = keypad({
    label: who.card ? "Card read. Now the PIN" : `PIN of ${who.number}`,
    order: shuffled(DIGITS),
    most: PIN_MAX,
    done: "Confirm",
    shown: (text) => "\u25CF".repeat(text.length),
    onDone: (pin) => onDone({ ...who, pin }),
    onCard: null,
  });
  openSheet(title, body(sentence, pad), { onClose });
}

function body(sentence, pad) {
  return make("div", "body identify", "", [make("p", "why", sentence), pad]);
}

function keypad({ label, order, most, done, shown, onDone, onCard }) {
  let text = "";
  const entry = make("output", "entry");
  entry.tabIndex = 0;
  entry.setAttribute("autofocus", "");
  const draw = () => {
    write(entry, shown(text));
    entry.setAttribute("aria-label", `${label}: ${text.length} entered`);
    finish.disabled = text === "";
  };
  const put = (more) => {
    text = more === null ? text.slice(0, -1) : (text + more).slice(0, most);
    draw();
  };
  const digits = order.map((digit) => button("digit", digit, () => put(digit)));
  const erase = button("digit quiet", "\u232B", () => put(null));
  erase.setAttribute("aria-label", "Erase the last one");
  const finish = button("digit main", done, () => text && onDone(text));
  const keys = make("div", "keys", "", [...digits, erase, finish]);
  const made = make("div", "pad", "", [make("p", "label", label), entry, keys]);
  const typing = new Typing();
  made.addEventListener("keydown", (event) => {
    const card = onCard && typing.hear(event);
    if (card) {
      event.preventDefault();
      onCard(card);
    } else if (event.key === "Backspace") put(null);
    else if (event.key === "Enter" && event.target === entry && text) onDone(text);
    else if (/^[\w.;?%^=-]$/.test(event.key)) put(event.key);
  });
  draw();
  return made;
}

function shuffled(items) {
  const left = [...items];
  const drawn = [];
  while (left.length > 0) drawn.push(...left.splice(crypto.getRandomValues(new Uint32Array(1))[0] % left.length, 1));
  return drawn;
}
