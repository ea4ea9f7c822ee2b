// Draws the part below the totals: notes that the law requires, how to pay, the owner's footer, and boxes for
// signatures.
import { LISTS } from '../../trade/lists.ts';
import { GREY, PALE } from './color.ts';
import { type Draft, isInvoice, isWorkOrder } from './draft.ts';
import { LEFT, lineHeight, RIGHT, type Style, WIDTH } from './paper.ts';
import { putPayment } from './payment.ts';

const { EXEMPT, REVERSE_CHARGE, MARGIN, OUTSIDE, INTRA_COMMUNITY, EXPORT } = LISTS.vatcodes;

const STRONG: Style = { font: 'bold', size: 9.5 };
const SMALL: Style = { font: 'regular', size: 9, color: GREY };
/** The lines of the owner's footer that stay with the payment, and the space above them. */
const FOOTER_LINES = 5;
const ABOVE_FOOTER = 8;
const FEWEST_REMARK_ROWS = 4;
const MOST_REMARK_ROWS = 10;
const REMARK_ROW = 22;
const SIGNATURE_HEIGHT = 62;

export function putClosing(draft: Draft): void {
  const { paper, data, words } = draft;
  if (isWorkOrder(data)) {
    putRemarks(draft);
    putSignatures(draft, [words.customerSigns, words.mechanicSigns]);
    return;
  }
  for (const note of notes(draft)) paper.flow(note, STRONG);
  if (data.type === LISTS.documenttypes.QUOTATION) putSignatures(draft, [words.agreed]);
  if (!isInvoice(data)) return;
  paper.y += 6;
  const { invoice_footer } = data.seller;
  // The footer does not stand alone on a page.
  const footer = invoice_footer ? paper.wrap(invoice_footer, WIDTH, SMALL).length : 0;
  putPayment(draft, Math.min(footer, FOOTER_LINES) * lineHeight(SMALL) + ABOVE_FOOTER);
  if (!invoice_footer) return;
  paper.y += ABOVE_FOOTER;
  paper.flow(invoice_footer, SMALL);
}

/** The notes that the law requires for the VAT codes of the lines. */
function notes({ data, words }: Draft): string[] {
  const texts: [code: number, note: string][] = [
    [MARGIN, words.marginScheme],
    [REVERSE_CHARGE, words.reverseCharge(data.buyer.vat_number)],
    [INTRA_COMMUNITY, words.intraCommunity(data.buyer.vat_number)],
    [EXPORT, words.exportSupply],
    [EXEMPT, words.exempt],
    [OUTSIDE, words.outside],
  ];
  return texts.flatMap(([code, note]) =>
    data.lines.some(({ vat_code }) => vat_code === code) ? [note] : [],
  );
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
    paper.box([x, paper.y, width, SIGNATURE_HEIGHT], { line: PALE });
    paper.put(title, x + 8, paper.y + 6, STRONG);
    paper.put(words.nameAndDate, x + 8, paper.y + SIGNATURE_HEIGHT - 18, SMALL);
  });
  paper.y += SIGNATURE_HEIGHT;
}
