// What tables wait for, on a supervisor's own tablet or phone: seen, and approved by PIN.

const EVERY_MS = 1500;
const part = (name, within = document) => within.querySelector(`[data-part="${name}"]`);
let csrf = "";

async function ask(method, path, body) {
  const headers = { "X-CSRF-Token": csrf };
  if (body) headers["Content-Type"] = "application/json";
  const response = await fetch(path, { method, headers, body: body && JSON.stringify(body) });
  const told = response.status === 204 ? {} : await response.json();
  return { status: response.status, told };
}

function tell(sentence) {
  if (part("told").textContent !== sentence) part("told").textContent = sentence;
}

async function begin() {
  const { status, told } = await ask("GET", "/v1/session");
  const isIn = status === 200;
  part("sign-in").hidden = isIn;
  part("waiting").hidden = !isIn;
  csrf = "";
  if (!isIn) return;
  csrf = told.csrf_token;
  part("who").textContent = `${told.account.name} \u00B7 ${told.account.role.title}`;
  await look();
}

async function look() {
  const { status, told } = await ask("GET", "/v1/approvals");
  if (status === 401) return begin();
  if (status !== 200) return tell(told.detail);
  part("nothing").hidden = told.items.length > 0;
  const left = new Map([...part("asked").children].map((item) => [item.dataset.approval, item]));
  for (const one of told.items) {
    const item = left.get(String(one.approval)) ?? added(one);
    left.delete(String(one.approval));
    part("since", item).textContent = `${one.waiting_seconds} s ago`;
  }
  for (const item of left.values()) item.remove();
}

function added(one) {
  const item = part("one").content.firstElementChild.cloneNode(true);
  item.dataset.approval = String(one.approval);
  item.querySelector("h2").textContent = `Table ${one.table}: ${one.action.replaceAll("-", " ")}`;
  const asker = one.asked_by ? `Asked by ${one.asked_by}. ` : "";
  part("what", item).textContent = `${asker}Takes a ${one.rank_title} (or above).`;
  const form = item.querySelector("form");
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    answer(`/v1/approvals/${one.approval}/approval`, { pin: form.pin.value }, `Approved for table ${one.table}.`);
    form.reset();
  });
  item.querySelector(".refuse").addEventListener("click", () => answer(`/v1/approvals/${one.approval}/refusal`, null, `Refused for table ${one.table}.`));
  part("asked").append(item);
  return item;
}

async function answer(path, body, sentence) {
  const { status, told } = await ask("POST", path, body);
  tell(status === 204 ? sentence : told.detail);
  await look();
}

part("sign-in").addEventListener("submit", async (event) => {
  event.preventDefault();
  const form = event.currentTarget;
  const { status, told } = await ask("POST", "/v1/session", { number: form.number.value, password: form.password.value });
  form.password.value = "";
  tell(status === 201 ? "" : told.detail);
  if (status === 201) await begin();
});

async function run() {
  for (;;) {
    try {
      if (csrf) await look();
    } catch {
      tell("The server does not answer: this page tries again by itself.");
    }
    await new Promise((wake) => setTimeout(wake, EVERY_MS));
  }
}

begin();
run();
