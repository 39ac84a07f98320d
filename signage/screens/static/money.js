// Money as guests read it. Amounts are whole numbers of millionths of a dollar: up to 2^53 of them,
// nine thousand million dollars, JavaScript counts without error.

const MICROS_PER_CENT = 10_000;

/** What is recorded, cut to the cent: never more than there is. */
export function centsCut(micros) {
  return Math.floor(micros / MICROS_PER_CENT);
}

/** `1234775` → `$12,347.75` */
export function dollarsAndCents(cents) {
  const sign = cents < 0 ? "-" : "";
  const size = Math.abs(cents);
  return `${sign}$${grouped(Math.floor(size / 100))}.${String(size % 100).padStart(2, "0")}`;
}

/** An amount that is paid or staked: without cents where there are none. */
export function amount(micros) {
  const cents = centsCut(micros);
  return cents % 100 === 0 ? dollarsAndCents(cents).slice(0, -3) : dollarsAndCents(cents);
}

export function amountOfCents(cents) {
  return amount(microsOfCents(cents));
}

export function microsOfCents(cents) {
  return cents * MICROS_PER_CENT;
}

function grouped(dollars) {
  return String(dollars).replace(/\B(?=(\d{3})+$)/g, ",");
}
