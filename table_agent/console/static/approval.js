// A supervisor's word from a tablet or phone of their own, while the sheet here waits for a PIN.

const EVERY_MS = 1000;

/** @returns {{answered: Promise<{asked: number}|{declined: string}|null>, end: () => void}} */
export function askElsewhere(agent, action) {
  let isOver = false;
  let asked = null;
  const wait = async () => {
    const told = await agent.tap({ tap: "ask-approval", action });
    if (told.declined) return null;
    asked = told.state.asked;
    while (!isOver) {
      const found = await look(asked);
      if (found) return found;
      await new Promise((wake) => setTimeout(wake, EVERY_MS));
    }
    return null;
  };
  const answered = wait();
  const end = async () => {
    isOver = true;
    const found = await answered;
    if (found === null && asked !== null) agent.tap({ tap: "end-approval", approval: asked });
  };
  return { answered, end };
}

async function look(asked) {
  try {
    const { state, by } = await (await fetch(`/approvals/${asked}`)).json();
    if (state === "approved") return { asked };
    return state === "refused" ? { declined: `Refused by ${by}: it is not done.` } : null;
  } catch {
    return null;
  }
}
