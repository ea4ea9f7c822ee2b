// Says how and when to pay, in a sentence and as a QR code for the apps of banks. The code stands where the buyer has
// to pay: on an invoice with an amount open, and an IBAN to pay to.
import { LISTS } from '../../trade/lists.ts';
import { type Draft, numberOf } from './draft.ts';
import { accountOf, day, euros, legalNameOf } from './format.ts';
import { LEFT, lineHeight, RIGHT, type Style, WIDTH } from './paper.ts';
import { type Matrix, matrixOf, transferText } from './payment-code.ts';
import { totalsOf } from './totals.ts';

const BODY: Style = { font: 'regular', size: 9.5 };
const STRONG: Style = { font: 'bold', size: 9.5 };
/** 30 mm: half a millimetre for each module of a usual code. */
const CODE = 85;
/** Modules that must stay empty around a code. */
const QUIET = 4;

/** Draws how to pay the open amount, on a page with `more` points of room below. Moves the cursor below the drawing. */
export function putPayment(draft: Draft, more: number): void {
  const { paper } = draft;
  const sentence = sentenceOf(draft);
  const text = codeText(draft);
  if (text === undefined) {
    paper.room(paper.wrap(sentence, WIDTH, BODY).length * lineHeight(BODY) + more);
    paper.flow(sentence, BODY);
    return;
  }
  const matrix = matrixOf(text);
  const quiet = (QUIET * CODE) / matrix.size;
  const x = LEFT + CODE + quiet + 6;
  const lines = paper.wrap(sentence, RIGHT - x, BODY);
  const height = Math.max(CODE + 2 * quiet, lineHeight(STRONG) + lines.length * lineHeight(BODY));
  paper.room(height + more);
  const top = paper.y + quiet;
  putCode(draft, matrix, top);
  const below = paper.block(draft.words.scan, x, top, RIGHT - x, STRONG);
  paper.block(sentence, x, below + 2, RIGHT - x, BODY);
  paper.y += height;
}

/** The open amount; negative if the garage pays. */
const openAmount = ({ data }: Draft): string => data.payment?.amount_open ?? totalsOf(data).gross;

/** The garage buys the vehicle, so the garage pays. */
const isPurchase = ({ data: { order } }: Draft): boolean =>
  order.order_type === LISTS.ordertypes.VEHICLE_PURCHASE;

/** Undefined where the buyer has nothing to pay, or no account to pay to. */
function codeText(draft: Draft): string | undefined {
  const { seller } = draft.data;
  if (!seller.iban || isPurchase(draft)) return undefined;
  return transferText({
    iban: seller.iban,
    bic: seller.bic,
    name: legalNameOf(seller),
    amount: openAmount(draft),
    remittance: numberOf(draft.data),
  });
}

function sentenceOf(draft: Draft): string {
  const { data, words, language } = draft;
  const { seller, order, payment } = data;
  const open = openAmount(draft);
  const date = order.due_date === null ? '' : day(order.due_date, seller, language);
  if (Number(open) === 0) {
    if (!payment) return '';
    return payment.paid.startsWith('-') ? words.settledCredit : words.settled;
  }
  if (open.startsWith('-')) return words.paidBack(euros(open.slice(1), language));
  if (isPurchase(draft)) return words.paidOut(euros(open, language), date);
  const account = accountOf(seller, words);
  const to = account === '' ? '' : words.payTo(account) + words.payName(legalNameOf(seller));
  return words.pay(euros(open, language), date) + to + words.payStating(numberOf(data));
}

function putCode(draft: Draft, { size, runs }: Matrix, top: number): void {
  const { paper, words, language } = draft;
  const module = CODE / size;
  const alt = words.scanShows(euros(openAmount(draft), language));
  const parts = runs.map(({ x, y, length }) => [x * module, y * module, length * module, module] as const);
  paper.shape(alt, [LEFT, top, CODE, CODE], parts);
}
