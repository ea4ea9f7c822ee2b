// A vehicle that the buyer trades in is no part of the sale: a document shows the sale with its total, and then takes
// the trade-in off.
import { isPurchase } from '../../../core/trade/kinds/purchase.ts';
import { LISTS } from '../../../core/trade/lists.ts';
import type { DocumentData, Line } from './data.ts';
import { hasAmount } from './line.ts';

interface Split {
  readonly sold: readonly Line[];
  readonly tradedIn: readonly Line[];
}

/** Splits the lines into sold and traded in. If nothing is sold, a trade-in is a line like any other. */
export function splitTradeIns({ lines, order }: Pick<DocumentData, 'lines' | 'order'>): Split {
  const isTradeIn = ({ line_kind }: Line) => line_kind === LISTS.linekinds.TRADE_IN;
  const sold = lines.filter((line) => !isTradeIn(line));
  if (isPurchase(order.order_type) || !sold.some(hasAmount)) return { sold: lines, tradedIn: [] };
  return { sold, tradedIn: lines.filter(isTradeIn) };
}

/** `Inruil · Opel Corsa · GB-001-B` */
export const tradeInText = ({ description, vehicle }: Line): string =>
  [description, vehicleText(vehicle)].filter(Boolean).join(' · ');

export const vehicleText = (vehicle: Line['vehicle']): string =>
  vehicle
    ? [`${vehicle.make} ${vehicle.model}`, vehicle.license_plate, vehicle.vin].filter(Boolean).join(' · ')
    : '';
