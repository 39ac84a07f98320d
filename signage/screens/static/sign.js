// The sign of one table.

import { Celebration } from "./celebration.js";
import { fill, find, make, show, write } from "./dom.js";
import { fitAll } from "./fit.js";
import { fillHits } from "./hits.js";
import { amount, amountOfCents, microsOfCents } from "./money.js";
import { fillNotices } from "./notices.js";
import { Odometer } from "./odometer.js";
import { isInSight } from "./report.js";
import { run } from "./screen.js";
import { clockTime, say } from "./words.js";

/** How many of the last hits there is room for beside so many notices. */
const HITS_BESIDE = [3, 1];

const odometer = new Odometer(find("figure"));
const celebration = new Celebration(find("celebration"));

function draw(floor, nowMs) {
  const { table } = floor;
  const meter = floor.meters[0] ?? null;
  drawMeter(meter, table);
  if (table !== null) drawTable(table);
  if (meter !== null) drawPays(meter);
  fitAll(find("pays"));
  celebration.hear(floor.hits, nowMs);
  drawProof(meter, table);
}

function drawMeter(meter, table) {
  const isOpen = meter !== null && meter.state === "open";
  show(find("figure"), isOpen);
  if (isOpen) odometer.set(meter.value_micros, meter.epoch);
  else odometer.clear();
  show(find("royal"), isOpen);
  for (const part of ["pays-title", "pay-table", "wager"]) show(find(part), meter !== null);
  if (isOpen) write(find("royal-pays"), amount(meter.royal_pays_micros));
  const word = unavailable(meter, table);
  show(find("no-wagers"), word !== null);
  write(find("no-wagers-text"), word === null ? "" : say(word));
}

/** Why no wager is taken here now, as far as a guest needs to know. */
function unavailable(meter, table) {
  if (table === null) return "no_such_table";
  if (table.state === "closed") return "table_closed";
  if (meter === null) return "no_jackpot_here";
  if (table.tournament) return "tournament";
  if (table.manual) return "manual";
  return table.taking ? null : "no_wagers_now";
}

function drawTable(table) {
  write(find("game"), say(`game_${table.game}`));
  fill(find("seats"), Array.from({ length: table.seats }, (_, index) => index + 1), () => make("li"), (seat, number) => {
    const isLit = table.registered.includes(number);
    write(seat, String(number));
    seat.className = isLit ? "seat lit" : "seat";
    seat.setAttribute("aria-label", say(isLit ? "seat_in" : "seat_out", { n: number }));
  });
  show(find("limits"), table.minimum_cents !== null);
  if (table.minimum_cents !== null) {
    write(find("minimum"), amountOfCents(table.minimum_cents));
    write(find("maximum"), amountOfCents(table.maximum_cents));
  }
}

function drawPays(meter) {
  write(find("cost"), amountOfCents(meter.cost_cents));
  write(find("pays-title"), say("pays_for", { cost: amountOfCents(meter.cost_cents) }));
  fill(find("pay-rows"), meter.pays, makePay, (row, pay) => {
    write(row.children[0], say(pay.hand));
    write(row.children[1], pay.amount_micros === null ? say("of_jackpot", { percent: pay.percent }) : amount(pay.amount_micros));
  });
}

function makePay() {
  const row = make("tr");
  row.append(make("th"), make("td", "money"));
  row.firstChild.scope = "row";
  return row;
}

/** Small print for a camera: what exactly was shown. */
function drawProof(meter, table) {
  write(find("round"), table?.round ? say("round", { round: table.round }) : "");
  write(find("seq"), meter === null ? "" : say("meter_seq", { meter: meter.meter, seq: meter.seq }));
  write(find("moved"), meter === null ? "" : say("recorded_at", { time: clockTime(Date.parse(meter.at)) }));
  write(find("option"), meter === null ? "" : say("option", { n: meter.option }));
}

function look(floor, nowMs) {
  const notices = floor.table?.notices ?? [];
  fillNotices(find("notices"), notices, nowMs);
  const count = HITS_BESIDE[notices.length] ?? 0;
  fillHits(find("hits"), count > 0 ? floor.hits.slice(-count) : [], nowMs);
  show(find("hits-area"), floor.hits.length > 0 && count > 0);
  fitAll(find("news"));
  celebration.check();
}

function see(floor) {
  const shown = floor.meters.filter(() => odometer.shownCents !== null && isInSight(find("figure")));
  const notices = [...document.querySelectorAll(".notice")].filter(isInSight);
  return {
    meters: shown.map(({ meter, seq }) => ({ meter, seq, value_micros: microsOfCents(odometer.shownCents) })),
    notices: notices.map((notice) => notice.dataset.notice),
  };
}

run({ isSign: true, draw, look, see });
