// Everything that a garage does in a story, and how often.
import type { Desk } from '../desk.ts';
import type { Dice } from '../dice.ts';
import { changeSetting, closeBooks, importHistory, writeLate } from './books.ts';
import {
  addLine,
  changeLine,
  changePayment,
  changePlate,
  credit,
  deposit,
  forget,
  moveOn,
  pay,
} from './changing.ts';
import { register } from './owners.ts';
import { rush } from './rush.ts';
import { buy, payTax, repair, sell } from './trading.ts';
import { approve, book, clock, rebook, storeTyres, swapTyres, writeHours } from './workshop.ts';

type Action = (desk: Desk, dice: Dice) => Promise<void>;

export const ACTIONS = {
  buy,
  sell,
  repair,
  pay,
  credit,
  deposit,
  moveOn,
  changeLine,
  addLine,
  changePayment,
  payTax,
  changePlate,
  register,
  forget,
  book,
  rebook,
  clock,
  writeHours,
  storeTyres,
  swapTyres,
  approve,
  rush,
  importHistory,
  closeBooks,
  writeLate,
  changeSetting,
} satisfies Record<string, Action>;

export type ActionName = keyof typeof ACTIONS;

/** How often each action comes. */
export const WEIGHTS: Readonly<Record<ActionName, number>> = {
  buy: 9,
  sell: 12,
  repair: 8,
  pay: 8,
  credit: 8,
  deposit: 5,
  moveOn: 6,
  changeLine: 3,
  addLine: 2,
  changePayment: 3,
  payTax: 1,
  changePlate: 1,
  register: 3,
  forget: 1,
  book: 2,
  rebook: 2,
  clock: 2,
  writeHours: 1,
  storeTyres: 1,
  swapTyres: 1,
  approve: 2,
  rush: 4,
  importHistory: 1,
  closeBooks: 2,
  writeLate: 3,
  changeSetting: 1,
};
