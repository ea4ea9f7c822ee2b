// What the rules need to know about a kind of line, one row each. Without a row, a new kind of LISTS.linekinds does not
// compile.
import { LISTS, type ListValue, rowOf } from '../lists.ts';

type LineKind = ListValue<'linekinds'>;

interface KindRow {
  /** Whether the line makes its order a sale of goods, which has a limit of cash. Work alone has none. */
  readonly goods: 'yes' | 'no' | 'if it has an amount';
  /** Whether its amount is a part of the price. A trade-in is a purchase, and a deposit is no turnover yet. */
  readonly isPrice: boolean;
  /** Whether an order of type BPM takes the line. */
  readonly isOnBpmOrder: boolean;
}

const { ARTICLE, LABOUR, VEHICLE, TRADE_IN, BPM, FEE, DEPOSIT, TEXT } = LISTS.linekinds;

const ROWS: Readonly<Record<LineKind, KindRow>> = {
  [ARTICLE]: { goods: 'yes', isPrice: true, isOnBpmOrder: false },
  [LABOUR]: { goods: 'no', isPrice: true, isOnBpmOrder: false },
  [VEHICLE]: { goods: 'yes', isPrice: true, isOnBpmOrder: false },
  [TRADE_IN]: { goods: 'yes', isPrice: false, isOnBpmOrder: false },
  [BPM]: { goods: 'yes', isPrice: true, isOnBpmOrder: true },
  [FEE]: { goods: 'yes', isPrice: true, isOnBpmOrder: true },
  // The target of a deposit has the goods.
  [DEPOSIT]: { goods: 'no', isPrice: false, isOnBpmOrder: false },
  [TEXT]: { goods: 'if it has an amount', isPrice: true, isOnBpmOrder: false },
};

export const kindRow = (kind: number): KindRow => rowOf('linekinds', ROWS, kind);

const kindsWith = (has: (row: KindRow) => boolean): readonly number[] =>
  Object.values(LISTS.linekinds).filter((kind) => has(ROWS[kind]));

/** The kinds of lines that are no goods. */
export const NO_GOODS = kindsWith(({ goods }) => goods === 'no');
/** The kinds of lines that are goods only if they have an amount. */
export const GOODS_BY_AMOUNT = kindsWith(({ goods }) => goods === 'if it has an amount');
/** The kinds of lines that are no part of the price, and so have no margin. */
export const NO_PRICE = kindsWith(({ isPrice }) => !isPrice);
