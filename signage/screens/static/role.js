// What the house has this screen for. A page is made for one role; for another it is made anew.

const made = JSON.parse(document.body.dataset.role ?? "null");

export const isPaired = made !== null;

export function follow({ role }) {
  if (!isSame(role, made)) begin();
}

function isSame(one, other) {
  if (one === null || other === null) return one === other;
  return one.layout === other.layout && one.table === other.table && one.meters.join() === other.meters.join();
}

let isBeginning = false;

/** Load the page anew, but only once it is there: a browser's own error page would stay for ever. */
async function begin() {
  if (isBeginning) return;
  isBeginning = true;
  try {
    const page = await fetch(location.href, { cache: "no-store" });
    if (page.ok) location.reload();
  } catch {
    // The stream tells us again when it is back.
  } finally {
    isBeginning = false;
  }
}
