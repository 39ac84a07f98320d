// The keyboard: function keys press what shows them, and a card reader types a card as fast as no person can.

const FASTEST_PERSON_MS = 40;
const CARD_CHARACTERS_MIN = 4;

/** Letters and digits as they come; a reader ends a card with Enter. */
export class Typing {
  #text = "";
  #began = 0;
  #last = 0;

  /** @returns {string|null} the card, when this key ends one */
  hear(event) {
    if (event.key === "Enter") return this.#ended(event.timeStamp);
    if (event.key.length !== 1 || event.ctrlKey || event.altKey || event.metaKey) return null;
    if (event.timeStamp - this.#last > 500) this.#text = "";
    if (this.#text === "") this.#began = event.timeStamp;
    this.#text += event.key;
    this.#last = event.timeStamp;
    return null;
  }

  #ended(at) {
    const text = this.#text;
    this.#text = "";
    const each = (at - this.#began) / Math.max(text.length, 1);
    return text.length >= CARD_CHARACTERS_MIN && each < FASTEST_PERSON_MS ? text : null;
  }
}

/** @param {(card: string) => void} onCard a card was read while no sheet wanted one */
export function listen(onCard) {
  const typing = new Typing();
  document.addEventListener("keydown", (event) => {
    const sheet = document.querySelector("dialog[open]");
    if (!sheet) {
      const card = typing.hear(event);
      if (card !== null) {
        event.preventDefault();
        onCard(card);
        return;
      }
    }
    press(event, sheet ?? document.body);
  });
  document.addEventListener("keyup", (event) => {
    held?.dispatchEvent(new KeyboardEvent("keyup", { key: event.key }));
    held = null;
  });
}

let held = null;

function press(event, within) {
  if (event.key === "Escape" || !/^(F\d+|Home|End)$/.test(event.key)) return;
  event.preventDefault();
  const pressed = [...within.querySelectorAll(`[data-key="${event.key}"]`)].find((one) => one.checkVisibility() && !one.disabled);
  if (!pressed || event.repeat) return;
  pressed.focus();
  if (pressed.dataset.hold === "true") {
    held = pressed;
    pressed.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter" }));
  } else {
    pressed.click();
  }
}
