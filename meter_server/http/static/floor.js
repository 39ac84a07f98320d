// Who waits at a table: calls, which somebody of the rank answers by coming, and what takes a
// supervisor's word, which is given by PIN. The longest waiting is first.

const EVERY_MS = 1500;
const part = (name, within = document) => within.querySelector(`[data-part="${name}"]`);
let csrf = "";
let level = 0;

async function ask(method, path, body) {
  const headers = { "X-CSRF-Token": csrf };
  if (body) headers["Content-Type"] = "application/json";
  const response = await fetch(path, { method, headers, body: body && JSON.stringify(body) });
  const told = response.status === 204 ? {} : await response.json();
  return { status: response.status, told };
}

function write(element, sentence) {
  if (element.textContent !== sentence) element.textContent = sentence;
}

const tell = (sentence) => write(part("told"), sentence);

async function begin() {
  const { status, told } = await ask("GET", "/v1/session");
  const isIn = status === 200;
  part("sign-in").hidden = isIn;
  part("waiting").hidden = !isIn;
  part("sign-out").hidden = !isIn;
  csrf = isIn ? told.csrf_token : "";
  level = isIn ? told.account.role.level ?? 0 : 0;
  write(part("who"), isIn ? `${told.account.name} \u00B7 ${told.account.role.title}` : "");
  if (isIn) return look();
  draw([]);
  document.title = "Floor \u00B7 Prize Meter";
}

async function look() {
  const found = await Promise.all([ask("GET", "/v1/calls"), ask("GET", "/v1/approvals")]);
  if (found.some(({ status }) => status === 401)) return begin();
  const wrong = found.find(({ status }) => status !== 200);
  if (wrong) return tell(wrong.told.detail);
  const [calls, approvals] = found.map(({ told }) => told.items);
  draw([...calls.map(asCall), ...approvals.map(asApproval)]);
  const unanswered = calls.filter((call) => !call.coming).length + approvals.length;
  document.title = `${unanswered ? `(${unanswered}) ` : ""}Floor \u00B7 Prize Meter`;
}

const asCall = (call) => ({ key: `call-${call.call}`, kind: "call", ...call });
const asApproval = (one) => ({ key: `approval-${one.approval}`, kind: "approval", ...one });

/** Items stay where they are while they wait: a PIN may be half typed. */
function draw(waits) {
  waits.sort((one, other) => other.waiting_seconds - one.waiting_seconds);
  const list = part("waits");
  const left = new Map([...list.children].map((item) => [item.dataset.key, item]));
  const news = [];
  for (const one of waits) {
    let item = left.get(one.key);
    left.delete(one.key);
    if (!item) {
      item = one.kind === "call" ? callItem(one) : approvalItem(one);
      list.append(item);
      news.push(`${item.querySelector("h2").textContent}: ${part("what", item).textContent}`);
    }
    item.dataset.since = String(performance.now() - one.waiting_seconds * 1000);
    if (one.kind === "call") drawCall(item, one);
  }
  for (const item of left.values()) item.remove();
  part("nothing").hidden = waits.length > 0;
  if (news.length) write(part("news"), news.join(" "));
  tick();
}

function tick() {
  for (const item of part("waits").children) {
    const seconds = Math.max(0, Math.floor((performance.now() - Number(item.dataset.since)) / 1000));
    write(item.querySelector("time"), `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`);
  }
}

function made(one, what, asker) {
  const item = part(one.kind).content.firstElementChild.cloneNode(true);
  item.dataset.key = one.key;
  write(item.querySelector("h2"), `Table ${one.table}`);
  write(part("what", item), what);
  write(part("who-for", item), `${asker}For a ${one.rank_title} (or above).`);
  item.querySelector(".answers").hidden = level < one.level;
  return item;
}

function callItem(call) {
  const item = made(call, call.reason, call.called_by ? `Called by ${call.called_by}. ` : "");
  part("come", item).addEventListener("click", () => answer(`/v1/calls/${call.call}/coming`, null, ""));
  part("been", item).addEventListener("click", () => answer(`/v1/calls/${call.call}/answer`, null, `The call of table ${call.table} is settled.`));
  return item;
}

function drawCall(item, call) {
  write(part("what", item), call.reason);
  write(part("coming", item).lastElementChild, call.coming ? `${call.coming} is coming.` : "");
  part("coming", item).hidden = !call.coming;
  part("come", item).hidden = Boolean(call.coming);
  part("been", item).hidden = !call.coming;
}

function approvalItem(one) {
  const what = one.action.replaceAll("-", " ");
  const item = made(one, `Approve: ${what}`, one.asked_by ? `Asked by ${one.asked_by}. ` : "");
  const form = item.querySelector("form");
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    answer(`/v1/approvals/${one.approval}/approval`, { pin: form.pin.value }, `Approved for table ${one.table}.`);
    form.reset();
  });
  item.querySelector(".refuse").addEventListener("click", () => answer(`/v1/approvals/${one.approval}/refusal`, null, `Refused for table ${one.table}.`));
  return item;
}

async function answer(path, body, sentence) {
  await reached(async () => {
    const { status, told } = await ask("POST", path, body);
    tell(status === 204 ? sentence : told.detail);
    await look();
  });
}

async function reached(act) {
  try {
    await act();
    write(part("away"), "");
  } catch {
    write(part("away"), "The server does not answer: this page tries again by itself.");
  }
}

part("sign-in").addEventListener("submit", (event) => {
  event.preventDefault();
  const form = event.currentTarget;
  reached(async () => {
    const { status, told } = await ask("POST", "/v1/session", { number: form.number.value, password: form.password.value });
    form.password.value = "";
    tell(status === 201 ? "" : told.detail);
    if (status === 201) await begin();
  });
});

part("sign-out").addEventListener("click", () => reached(async () => {
  await ask("DELETE", "/v1/session");
  tell("");
  await begin();
}));

async function run() {
  await reached(begin);
  for (;;) {
    await new Promise((wake) => setTimeout(wake, EVERY_MS));
    if (csrf) await reached(look);
    else if (part("sign-in").hidden) await reached(begin); // The server was away at first.
  }
}

setInterval(tick, 1000);
run();
