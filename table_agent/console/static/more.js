// What is not part of every round: who comes, the table's opening and closing, the last rounds, the pay table.

import { choices, closeSheet, openSheet } from "./dialog.js";
import { make } from "./dom.js";

const ROUNDS_SHOWN = 11;
const ANSWERS = { accepted: ["working", "Recorded"], refused: ["failing", "Refused"], queued: ["impaired", "Queued"] };

/** Whoever was called is on the way while the dealer says more. */
export function chooseReason(call, state, send) {
  const items = state.reasons.map((reason) => ({
    text: reason,
    onClick: () => {
      closeSheet();
      send({ tap: "call", rank: call.rank, reason });
    },
  }));
  openSheet(`${call.rank_title} called: what for?`, choices(items));
}

export function chooseClosing(send) {
  const close = (players_present) => {
    closeSheet();
    send({ tap: "close-table", players_present });
  };
  const items = [
    { text: "Players are here", small: "tell them: three more hands", onClick: () => close(true) },
    { text: "Nobody is here", small: "closes now", onClick: () => close(false) },
  ];
  openSheet("Close this table", choices(items, { columns: 2 }));
}

export function showRounds(state) {
  const rows = state.recent.slice(0, ROUNDS_SHOWN).map((one) => {
    const [look, word] = ANSWERS[one.answer] ?? ANSWERS.queued;
    const said = make("span", "", one.sentence ? `${word}: ${one.sentence}` : word);
    const answer = make("td", "", "", [make("span", `state ${look}`, "", [make("span", "icon"), said])]);
    return make("tr", "", "", [make("td", "money", clock(Date.parse(one.at))), make("td", "name", one.what), make("td", "", one.by), answer]);
  });
  const head = make("tr", "", "", ["Time", "What", "By", "Answer"].map((text) => make("th", "", text)));
  openSheet("Last rounds", sheetTable("rounds", head, rows));
}

export function showPays(state) {
  const rows = state.pay_table.map(({ title, pays }) => make("tr", "", "", [make("td", "name", title), make("td", "money", pays)]));
  const head = make("tr", "", "", ["Hand", `Pays for ${state.cost}`].map((text) => make("th", "", text)));
  openSheet("Pay table", sheetTable("pays", head, rows));
}

function sheetTable(className, head, rows) {
  const table = make("table", className, "", [make("thead", "", "", [head]), make("tbody", "", "", rows)]);
  return make("div", "body", "", [table]);
}

export function clock(ms) {
  const time = new Date(ms);
  return [time.getHours(), time.getMinutes(), time.getSeconds()].map((part) => String(part).padStart(2, "0")).join(":");
}
