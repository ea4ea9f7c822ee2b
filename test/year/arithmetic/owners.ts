// Who owns each car: one contact at a time, by the papers that moved the car and by what the story wrote by hand.
import type { Json } from '../../support/client/client.ts';
import type { Desk } from '../desk.ts';
import { type Books, creditsOf, named, payerOf } from './books.ts';
import { lastMove, type Move, movesOf } from './cars.ts';

const OWNER = 1;
/** Two requests at once: the one that began first may end last. */
const AT_ONCE_MS = 5_000;

interface Car {
  readonly id: unknown;
  /** The lines of its owners. */
  readonly lines: readonly Json[];
  readonly moves: readonly Move[];
  /** The last move that is not credited. */
  readonly last: Move | undefined;
  /** Whether the story wrote a line, or ended one. */
  readonly isByHand: (line: Json) => boolean;
  readonly isEndedByHand: (line: Json) => boolean;
}

/** `desk` knows what the story wrote by hand. */
export const ownerFaults = (desk: Desk, books: Books): string[] =>
  books.vehicles.flatMap((vehicle) => {
    const car = carOf(desk, books, vehicle);
    return [...presentFaults(car), ...dayFaults(books, car)].map((fault) => `vehicle ${car.id} ${fault}`);
  });

function carOf(desk: Desk, books: Books, vehicle: Json): Car {
  const moves = movesOf(books, vehicle);
  const factsOf = ({ id }: Json) => desk.facts('vehicleroleline', Number(id));
  return {
    id: vehicle.id,
    lines: books.roles.filter(
      ({ vehicle_id, role_kind }) => vehicle_id === vehicle.id && role_kind === OWNER,
    ),
    moves,
    last: lastMove(books, moves),
    isByHand: (line) => factsOf(line).isByHand === true,
    isEndedByHand: (line) => factsOf(line).isEnded === true,
  };
}

/** A car has one owner: who bought it last, unless somebody registered since. A car in stock has none by its papers. */
function presentFaults({ lines, last, isByHand, isEndedByHand }: Car): string[] {
  const [owner, ...others] = lines.filter(({ end_date }) => end_date === null);
  if (others.length > 0) return [`has ${1 + others.length} owners`];
  if (!last) return [];
  const { order, kind } = last;
  const payer = payerOf(order);
  if (kind === 'bought')
    return !owner || (isByHand(owner) && !isBefore(owner, order))
      ? []
      : [`belongs to ${owner.contact_id}, bought by ${named(order)}`];
  const isMeant = owner
    ? owner.contact_id === payer || isByHand(owner)
    : lines.some((line) => line.contact_id === payer && isEndedByHand(line));
  return isMeant ? [] : [`belongs to ${owner?.contact_id}, sold by ${named(order)} to ${payer}`];
}

const isBefore = ({ created_at }: Json, { invoice_date }: Json): boolean =>
  Date.parse(String(created_at)) + AT_ONCE_MS < Date.parse(String(invoice_date));

/** Owners change on the day of supply of a paper that moves their car, or by hand. */
function dayFaults(books: Books, { lines, moves, isByHand, isEndedByHand }: Car): string[] {
  const papers = moves.flatMap(({ order }) => [order, ...creditsOf(books, order)]);
  const isOfPaper = (day: unknown) => papers.some(({ supply_date }) => supply_date === day);
  return lines.flatMap((line) => [
    ...(isByHand(line) || isOfPaper(line.start_date)
      ? []
      : [`has the owner ${line.contact_id} from ${line.start_date} on, without a paper`]),
    ...(line.end_date === null || isEndedByHand(line) || isOfPaper(line.end_date)
      ? []
      : [`had the owner ${line.contact_id} until ${line.end_date}, without a paper`]),
  ]);
}
