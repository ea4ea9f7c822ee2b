// When a car leaves the margin scheme over periods, and when it comes back. Each acquisition of a car, a purchase or a
// trade-in, counts by itself: it leaves the purchases once, by its own credit note or by a sale with VAT.

/** A line of an acquisition, and what it adds to the purchases under the margin scheme, in cents. */
interface CountedLine {
  readonly line: number;
  readonly amount: bigint;
}

/** The lines of an invoice that sell a car. */
interface CarSale {
  /** The ID of the first line. */
  readonly line: number;
  /** Whether the car leaves the margin scheme by this sale. */
  readonly leavesMargin: boolean;
  /** In cents, like `bpm`. */
  readonly gross: bigint;
  /** The BPM that the garage paid for the car. It counts as a purchase when the car is sold under the scheme. */
  readonly bpm: bigint;
}

/** An invoice that moves a car. */
export interface CarInvoice {
  readonly order: number;
  readonly instant: string;
  /** The lines by which the garage buys the car. A line that is not under the scheme has the amount 0. */
  readonly bought: readonly CountedLine[];
  readonly sold: CarSale | undefined;
}

/** A credit note of such an invoice. */
export interface CarCredit {
  readonly instant: string;
  /** The ID of the invoice. */
  readonly credited: number;
  /** Whether the invoice and its credit notes leave nothing. */
  readonly isWhole: boolean;
  /** The lines that take the acquisition back. Their amounts are below 0. */
  readonly bought: readonly CountedLine[];
  /** What the credit note takes off the lines that sell the car, in cents: below 0. */
  readonly sold: bigint;
}

/** `price` is taken off the purchases, in cents. A price below 0 is added to the purchases. */
export interface MovedCar {
  readonly instant: string;
  /** The ID of the line that has this price. */
  readonly line: number;
  readonly price: bigint;
  /** Whether this is the BPM of a sale, and not the price of an acquisition. */
  readonly isBpm: boolean;
}

/** An acquisition, less its credit notes. */
interface Held {
  lines: readonly CountedLine[];
  /** Whether a sale has taken the acquisition out of the purchases. */
  isOut: boolean;
}

/** A sale that is not taken back. */
interface Sold extends CarSale {
  left: bigint;
  /** The acquisition that the sale has taken out of the purchases. */
  readonly taken: Held | undefined;
}

/**
 * What counts beside the lines of the invoices of one car. `events`: the oldest first. A sale sells what stood in
 * stock: the last invoice before it that is not taken back, if that one bought the car.
 */
export function movesOf(events: readonly (CarInvoice | CarCredit)[]): MovedCar[] {
  const moves: MovedCar[] = [];
  const put = (
    { instant }: { readonly instant: string },
    lines: readonly CountedLine[],
    sign: bigint,
    isBpm = false,
  ) => {
    for (const { line, amount } of lines)
      if (amount !== 0n) moves.push({ instant, line, price: sign * amount, isBpm });
  };
  const acquisitions = new Map<number, Held>();
  const sales = new Map<number, Sold>();
  let standing: readonly number[] = [];

  const takeBackSale = (event: CarCredit, sale: Sold) => {
    sale.left += event.sold;
    // A car that was given away comes back only with the whole.
    const isTaken = event.isWhole || (sale.gross !== 0n && sale.left === 0n);
    if (!isTaken) return;
    sales.delete(event.credited);
    put(event, [{ line: sale.line, amount: sale.bpm }], 1n, true);
    if (!sale.taken) return;
    sale.taken.isOut = false;
    put(event, sale.taken.lines, -1n);
  };
  const takeBackPurchase = (event: CarCredit, held: Held) => {
    // The lines of the credit note count against the purchases. If the acquisition is out, they must not.
    if (held.isOut) put(event, event.isWhole ? held.lines : event.bought, event.isWhole ? -1n : 1n);
    held.lines = event.isWhole ? [] : lowered(held.lines, event.bought);
  };

  for (const event of events) {
    if ('credited' in event) {
      const [sale, held] = [sales.get(event.credited), acquisitions.get(event.credited)];
      if (sale) takeBackSale(event, sale);
      if (held) takeBackPurchase(event, held);
      const isGone = event.isWhole || (sale && !sales.has(event.credited));
      if (isGone) standing = standing.filter((order) => order !== event.credited);
      continue;
    }
    const { order, sold, bought } = event;
    if (sold) {
      const taken = sold.leavesMargin ? acquisitions.get(standing.at(-1) ?? 0) : undefined;
      if (taken) {
        put(event, taken.lines, 1n);
        taken.isOut = true;
      }
      put(event, [{ line: sold.line, amount: sold.bpm }], -1n, true);
      sales.set(order, { ...sold, left: sold.gross, taken });
    }
    if (bought.length > 0) acquisitions.set(order, { lines: bought, isOut: false });
    standing = [...standing, order];
  }
  return moves;
}

/** The lines less what credit notes of a part take off. */
const lowered = ([first, ...others]: readonly CountedLine[], taken: readonly CountedLine[]): CountedLine[] =>
  first
    ? [
        { ...first, amount: taken.reduce((amount, { amount: part }) => amount + part, first.amount) },
        ...others,
      ]
    : [];
