// Which type and which state each order gets. Every third is invoiced, exactly; types and states are dealt
// from decks, so that sixty orders hold every one of them.
import { LISTS } from '../trade/lists.ts';
import { instantOf } from './calendar.ts';
import type { Random } from './random.ts';

const { WORKSHOP, VEHICLE_SALES, VEHICLE_PURCHASE, INTERNAL_REVERSAL, BPM } = LISTS.ordertypes;
const { QUOTATION, ORDER, PLANNED, IN_PROGRESS, WAITING, READY, INVOICE, CANCELLED } = LISTS.orderstatuses;

export interface Plan {
  readonly type: number;
  readonly status: number;
  /** When it was invoiced or, if it is not, made. Rises from plan to plan. */
  readonly at: Date;
  /** The share of the slice's orders that comes before, 0 to 1. */
  readonly progress: number;
}

type Card = readonly [type: number, status: number];

const cards = (type: number, counts: Readonly<Record<number, number>>): Card[] =>
  Object.entries(counts).flatMap(([status, count]) => Array<Card>(count).fill([type, Number(status)]));

/** 20 invoices. */
const INVOICED: readonly Card[] = [
  ...cards(WORKSHOP, { [INVOICE]: 12 }),
  ...cards(VEHICLE_SALES, { [INVOICE]: 3 }),
  ...cards(VEHICLE_PURCHASE, { [INVOICE]: 2 }),
  ...cards(BPM, { [INVOICE]: 1 }),
  ...cards(INTERNAL_REVERSAL, { [INVOICE]: 2 }),
];

/** 40 orders that are no invoice, or not yet. */
const OPEN: readonly Card[] = [
  ...cards(WORKSHOP, {
    [QUOTATION]: 2,
    [ORDER]: 5,
    [PLANNED]: 6,
    [IN_PROGRESS]: 4,
    [WAITING]: 2,
    [READY]: 3,
    [CANCELLED]: 2,
  }),
  ...cards(VEHICLE_SALES, { [QUOTATION]: 2, [ORDER]: 1, [PLANNED]: 1, [READY]: 1, [CANCELLED]: 1 }),
  ...cards(VEHICLE_PURCHASE, { [QUOTATION]: 1, [ORDER]: 1, [READY]: 1, [CANCELLED]: 1 }),
  ...cards(BPM, { [ORDER]: 1, [READY]: 1 }),
  ...cards(INTERNAL_REVERSAL, { [ORDER]: 2, [READY]: 1, [CANCELLED]: 1 }),
];

/** Plans the orders `from` up to `to` of so many. `creditable` invoices were made before and not yet credited. */
export function planOrders(random: Random, from: number, to: number, of: number, creditable: number): Plan[] {
  const decks = { invoiced: new Deck(random, INVOICED), open: new Deck(random, OPEN) };
  let left = creditable;
  const plans: Plan[] = [];
  for (let index = from; index < to; index += 1) {
    const deck = index % 3 === 2 ? decks.invoiced : decks.open;
    const [type, status] = deck.draw(left > 0);
    if (type === INTERNAL_REVERSAL) left -= 1;
    else if (status === INVOICE && isCreditable(type)) left += 1;
    const at = instantOf((index + random.next()) / of);
    plans.push({ type, status, at, progress: (index - from) / (to - from) });
  }
  return plans;
}

/** Whether an invoice of this type may be taken back by a credit note here. */
export const isCreditable = (type: number): boolean => type === WORKSHOP || type === VEHICLE_SALES;

/** Cards in a random order; shuffled anew when all are drawn. */
class Deck {
  readonly #random: Random;
  readonly #cards: readonly Card[];
  #left: Card[] = [];

  constructor(random: Random, cards: readonly Card[]) {
    this.#random = random;
    this.#cards = cards;
  }

  /** The next card; a credit note waits for its turn until there is something to credit. */
  draw(mayCredit: boolean): Card {
    if (this.#left.length === 0) this.#left = this.#random.shuffled(this.#cards);
    const place = this.#left.findIndex(([type]) => mayCredit || type !== INTERNAL_REVERSAL);
    const [card] = this.#left.splice(place, 1);
    if (place < 0 || !card) throw new Error('A credit note was planned before there was an invoice');
    return card;
  }
}
