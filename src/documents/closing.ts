// Draws the part below the lines: notes that the law requires, how to pay, the owner's footer, and boxes for
// signatures.
import { LISTS } from '../trade/lists.ts';
import { type Draft, isInvoice, isWorkOrder, numberOf } from './draft.ts';
import { day, euros, iban } from './format.ts';
import { GREY, LEFT, lineHeight, PALE, RIGHT, type Style, WIDTH } from './paper.ts';
import { totalsOf } from './totals.ts';

const { EXEMPT, REVERSE_CHARGE, MARGIN } = LISTS.vatcodes;

const BODY: Style = { font: 'regular', size: 9.5 };
const STRONG: Style = { font: 'bold', size: 9.5 };
const SMALL: Style = { font: 'regular', size: 8.5, color: GREY };
const FEWEST_REMARK_ROWS = 4;
const MOST_REMARK_ROWS = 10;
const REMARK_ROW = 22;
const SIGNATURE_HEIGHT = 62;

export function putClosing(draft: Draft): void {
  if (isWorkOrder(draft.data)) putWorkClosing(draft);
  else putPricedClosing(draft);
}

function putWorkClosing(draft: Draft): void {
  const { customerSigns, mechanicSigns } = draft.words;
  putRemarks(draft);
  putSignatures(draft, [customerSigns, mechanicSigns]);
}

function putPricedClosing(draft: Draft): void {
  const { paper, data, words } = draft;
  for (const note of notes(draft)) paper.flow(note, STRONG);
  if (data.type === LISTS.documenttypes.QUOTATION) putSignatures(draft, [words.agreed]);
  if (!isInvoice(data)) return;
  paper.y += 6;
  paper.flow(payment(draft), BODY);
  if (data.seller.invoice_footer) {
    paper.y += 8;
    paper.flow(data.seller.invoice_footer, SMALL);
  }
}

/** The notes that the law requires for the VAT codes of the lines. */
function notes({ data, words }: Draft): string[] {
  const codes = new Set(data.lines.map(({ vat_code }) => vat_code));
  return [
    ...(codes.has(MARGIN) ? [words.marginScheme] : []),
    ...(codes.has(REVERSE_CHARGE) ? [words.reverseCharge(data.buyer.vat_number)] : []),
    ...(codes.has(EXEMPT) ? [words.exempt] : []),
  ];
}

function payment(draft: Draft): string {
  const { data, words, language } = draft;
  const { seller, order } = data;
  const { gross } = totalsOf(data.lines);
  const date = order.due_date === null ? '' : day(order.due_date, seller, language);
  if (gross.startsWith('-')) return words.paidBack(euros(gross.slice(1), language));
  // The garage buys the vehicle, so the garage pays.
  if (order.order_type === LISTS.ordertypes.VEHICLE_PURCHASE)
    return words.paidOut(euros(gross, language), date);
  if (Number(gross) === 0) return '';
  const account =
    seller.iban === null
      ? ''
      : `${words.iban} ${iban(seller.iban)}${seller.bic ? ` (BIC ${seller.bic})` : ''}`;
  const to = account === '' ? '' : words.payTo(account) + words.payName(seller.legal_name || seller.name);
  return words.pay(euros(gross, language), date) + to + words.payStating(numberOf(data));
}

/** Empty lines to write on, as many as fit on the page above the signatures. */
function putRemarks({ paper, words }: Draft): void {
  const rest = lineHeight(STRONG) + SIGNATURE_HEIGHT + 32;
  paper.room(rest + FEWEST_REMARK_ROWS * REMARK_ROW);
  const rows = Math.min(MOST_REMARK_ROWS, Math.floor((paper.bottom - paper.y - rest) / REMARK_ROW));
  paper.put(words.remarks, LEFT, paper.y, STRONG);
  paper.y += lineHeight(STRONG);
  for (let row = 0; row < rows; row += 1) {
    paper.y += REMARK_ROW;
    paper.rule(paper.y);
  }
  paper.y += 14;
}

/** One box per signature, side by side on one page. */
function putSignatures({ paper, words }: Draft, titles: readonly string[]): void {
  paper.room(SIGNATURE_HEIGHT + 10);
  paper.y += 10;
  const width = (WIDTH - 20) / 2;
  titles.forEach((title, index) => {
    const x = index === 0 ? LEFT : RIGHT - width;
    paper.box(x, paper.y, width, SIGNATURE_HEIGHT, { line: PALE });
    paper.put(title, x + 8, paper.y + 6, STRONG);
    paper.put(words.nameAndDate, x + 8, paper.y + SIGNATURE_HEIGHT - 18, SMALL);
  });
  paper.y += SIGNATURE_HEIGHT;
}
