// Questions that several parts of a document ask about a line.
import { LISTS } from '../../trade/lists.ts';
import { percentageOn } from '../../trade/vat-code.ts';
import type { Line } from './data.ts';

/** The percentage when the line was made, else today's. */
export const percentageOf = ({ vat_code, vat_percentage }: Line): string =>
  vat_percentage ?? percentageOn(vat_code);

/** False for a line that is only text. */
export const hasAmount = ({ line_kind, line_net }: Line): boolean =>
  line_kind !== LISTS.linekinds.TEXT || Number(line_net) !== 0;
