// The dealer's console: joins the agent's state, the screen and the sheets.

import { Agent } from "./agent.js";
import { askElsewhere } from "./approval.js";
import { closeSheet, closeUnlessAt, isSheetOpen } from "./dialog.js";
import { find, show, write } from "./dom.js";
import { chooseHand, turn } from "./hands.js";
import { holdToConfirm } from "./hold.js";
import { chooseIrregularity, chooseOverlooked, declareTooEarly, TOO_EARLY } from "./irregular.js";
import { listen } from "./keys.js";
import { drawHead, drawMiddle, drawNotices, drawRanks, drawRecord, drawRegister, drawWords } from "./main.js";
import { chooseClosing, chooseReason, clock, showPays, showRounds } from "./more.js";
import { askPerson } from "./pin.js";
import { drawSeats } from "./seats.js";

/** The second of a double tap, and a finger that was on its way when the button became another one. */
const SETTLED_MS = 500;

const agent = new Agent(draw, setGone);
/** What was meant with the seats whose taps are not answered yet. */
const onTheWay = new Map();
let declined = "";
let serverAhead = { at: null, ms: 0 };

/** Say it to the agent; where it takes somebody else's word, ask for it and say it again. */
async function send(tap) {
  declined = "";
  let told = await agent.tap(tap);
  if (told.needs) {
    const elsewhere = askElsewhere(agent, told.needs.action);
    const approval = await askPerson({ title: `${told.needs.title} needed`, sentence: told.declined, elsewhere });
    elsewhere.end();
    if (approval === null) return;
    told = "declined" in approval ? approval : await agent.tap({ ...tap, approval });
  }
  declined = told.declined ?? "";
  if (agent.state) draw(agent.state);
}

function draw(state) {
  if (document.body.dataset.step !== state.step) document.body.dataset.step = state.step;
  keepClock(state);
  drawHead(state);
  const isKnown = state.step !== "starting";
  show(find("whole"), isKnown);
  if (!isKnown) return;
  closeUnlessAt(state.place);
  drawSeats(find("seats"), state, onSeat);
  drawMiddle(state);
  drawRegister(state);
  drawRecord(state, onFold);
  drawWords(state, declined);
  drawRanks(state, onCall);
  drawTools(state);
}

function drawTools(state) {
  const isOffered = (one) => state.irregularities.some((offered) => offered.case === one);
  const isKeptOut = state.link.kept_out;
  find("irregular").disabled = isKeptOut || state.irregularities.length === 0;
  show(find("too-early"), !isKeptOut && isOffered(TOO_EARLY));
  show(find("overlooked"), state.may_correct_bonus);
  show(find("open"), state.step === "closed");
  show(find("close"), state.step === "betting" || state.step === "playing");
}

function onSeat(seat) {
  const { state } = agent;
  if (state.step === "playing") chooseHand(seat, state, send);
  else turnSeat(seat, state.chosen);
}

/** A tap after one that is not answered yet means the opposite of that one, not of what is still drawn. */
async function turnSeat(seat, chosen) {
  const meant = { lit: !(onTheWay.get(seat)?.lit ?? chosen.includes(seat)) };
  onTheWay.set(seat, meant);
  await send({ tap: "seat", place: "", seat, lit: meant.lit });
  if (onTheWay.get(seat) === meant) onTheWay.delete(seat);
}

function onFold(seat) {
  turn(agent.state.outcome.hands.find((one) => one.seat === seat), send);
}

function onCall(key) {
  const { reason } = agent.state.ranks.find((one) => one.key === key);
  send({ tap: "call", rank: key, reason });
}

function onRecord() {
  const { outcome } = agent.state;
  const isPlain = outcome.hands.length === 0 && outcome.despite === null;
  return send({ tap: isPlain ? "no-winners" : "record", place: "" });
}

async function signOn(card = null) {
  const who = await askPerson({ title: "Sign on", card });
  if (who !== null) await send({ tap: "sign-on", ...who });
}

function whenSettled(element, does) {
  element.addEventListener("click", () => {
    if (element.dataset.hold === "true") return;
    const now = performance.now();
    if (now - Number(element.dataset.changed ?? 0) <= SETTLED_MS) return;
    element.dataset.changed = String(now);
    does();
  });
}

/** The server's time of day, as long as it is told: the tablet's own may be wrong. */
function keepClock(state) {
  const at = state.link.up ? state.meter?.at ?? null : null;
  if (at !== null && at !== serverAhead.at) serverAhead = { at, ms: Date.parse(at) - Date.now() };
}

function tick() {
  const nowMs = Date.now() + serverAhead.ms;
  write(find("clock"), clock(nowMs));
  const { state } = agent;
  if (state && state.step !== "starting") drawNotices(state, nowMs, ON_CALL);
}

function setGone(isGone) {
  if (document.body.dataset.gone === String(isGone)) return;
  document.body.dataset.gone = String(isGone);
  show(find("gone"), isGone);
  find("page").inert = isGone;
  if (isGone && isSheetOpen()) closeSheet();
}

const ON_CALL = {
  why: (call) => chooseReason(agent.state.calls.find((one) => one.call === call), agent.state, send),
  hasCome: (call) => send({ tap: "end-call", call }),
};

const ON_CLICK = {
  without: () => send({ tap: "play-without-jackpot", place: "" }),
  clear: () => send({ tap: "clear", place: "" }),
  correct: () => send({ tap: "clear", place: "" }),
  deck: () => irregular(),
  irregular: () => irregular(),
  "too-early": () => declareTooEarly(send),
  overlooked: () => chooseOverlooked(agent.state, send),
  rounds: () => showRounds(agent.state),
  pays: () => showPays(agent.state),
  open: () => send({ tap: "open-table" }),
  close: () => chooseClosing(send),
  person: () => signOn(),
};

function irregular() {
  chooseIrregularity(agent.state, send);
}

for (const [part, does] of Object.entries(ON_CLICK)) find(part).addEventListener("click", does);
whenSettled(find("register"), () => send({ tap: "register", place: "" }));
whenSettled(find("record"), onRecord);
holdToConfirm(find("record"), () => find("record").dataset.hold === "true", onRecord);
listen(signOn);
setInterval(tick, 500);
agent.run();
