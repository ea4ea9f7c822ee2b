// Questions that several parts of a document ask about a line.
import { LISTS } from '../../../core/trade/lists.ts';
import { percentageOf as percentageOn } from '../../../core/trade/vat-code.ts';
import { today } from '../../../core/trade/vat-rate.ts';
import type { Line } from './data.ts';

/** The percentage when the line was made, else today's. */
export const percentageOf = (line: Line): string => percentageOn(line, today());

/** False for a line that is only text. */
export const hasAmount = ({ line_kind, line_net }: Line): boolean =>
  line_kind !== LISTS.linekinds.TEXT || Number(line_net) !== 0;
