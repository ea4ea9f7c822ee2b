// Lays out the part below the lines: totals, notes that the law requires, how to pay, the owner's footer, and boxes to
// fill in and to sign. All but a long footer stay on one page, with the last lines above.
import { LISTS } from '../../../core/trade/lists.ts';
import { VAT_CODES, vatRow } from '../../../core/trade/vat-code.ts';
import { type Block, paragraph, space, stacked } from './block.ts';
import { GREY, PALE } from './color.ts';
import { type Draft, isCredit, isInvoice, isSalesAgreement, isStatement, isWorkOrder } from './draft.ts';
import { hasAmount } from './line.ts';
import { LEFT, lineHeight, RIGHT, type Style, WIDTH } from './paper.ts';
import { layPayment } from './payment.ts';
import { layTotals } from './totals.ts';
import { splitTradeIns, tradeInText } from './trade-in.ts';

const BODY: Style = { font: 'regular', size: 9.5 };
const STRONG: Style = { font: 'bold', size: 9.5 };
const SMALL: Style = { font: 'regular', size: 9, color: GREY };
/** The lines of the owner's footer that stay with the payment, and the space above them. */
const FOOTER_LINES = 5;
const ABOVE_FOOTER = 8;
const ABOVE_PAYMENT = 6;
const CHECK_HEIGHT = 28;
const ABOVE_CHECKS = lineHeight(STRONG) + 2;
const CHECKS_HEIGHT = ABOVE_CHECKS + CHECK_HEIGHT + 8;
const FEWEST_REMARK_ROWS = 3;
const MOST_REMARK_ROWS = 10;
const REMARK_ROW = 18;
const BELOW_REMARKS = 8;
const SIGNATURE_HEIGHT = 62;
const ABOVE_SIGNATURES = 10;

export function layClosing(draft: Draft): Block {
  const { paper, data } = draft;
  // The lines of work may fill pages, so the boxes of a work order may break the page.
  if (isWorkOrder(data)) return { height: 0, put: () => putChecks(draft) };
  if (!isInvoice(data))
    return stacked(paper, [layTotals(draft), ...notes(draft), ...laySignatures(draft, signers(draft))]);
  const { code, sentence } = layPayment(draft);
  const { invoice_footer } = data.seller;
  const footer = invoice_footer ? paper.wrap(invoice_footer, WIDTH, SMALL).length : 0;
  const whole = [layTotals(draft, code), ...notes(draft), space(paper, ABOVE_PAYMENT), sentence];
  const height =
    whole.reduce((sum, block) => sum + block.height, ABOVE_FOOTER) +
    Math.min(footer, FOOTER_LINES) * lineHeight(SMALL);
  return {
    height,
    put: () => {
      paper.room(height);
      for (const block of whole) block.put();
      if (!invoice_footer) return;
      paper.y += ABOVE_FOOTER;
      paper.flow(invoice_footer, SMALL);
    },
  };
}

/**
 * The trade-in; then the notes that the law requires for the VAT codes of the sale, or the text for the seller of a
 * car.
 */
function notes({ paper, data, words, language }: Draft): Block[] {
  if (isStatement(data))
    return [paragraph(paper, isCredit(data) ? words.statementLapses : words.declared, BODY)];
  const { sold, tradedIn } = splitTradeIns(data);
  const counted = sold.filter(hasAmount);
  const required = VAT_CODES.filter((code) => counted.some(({ vat_code }) => vat_code === code))
    .flatMap((code) => vatRow(code).note ?? [])
    .sort((one, other) => one.rank - other.rank);
  return [
    ...tradedIn.map((line) => paragraph(paper, words.tradedIn(tradeInText(line)), BODY)),
    ...required.map((note) => paragraph(paper, note[language](data.buyer.vat_number), STRONG)),
  ];
}

/** Who signs a document that is no invoice. */
function signers({ data, words }: Draft): readonly string[] {
  if (data.type === LISTS.documenttypes.QUOTATION) return [words.agreed];
  if (isSalesAgreement(data)) return [words.buyerSigns, words.sellerSigns];
  return isStatement(data) ? [words.sellerSigns, words.buyerSigns] : [];
}

/** Boxes for the readings of the mechanic, empty lines to write on, and boxes to sign. */
function putChecks(draft: Draft): void {
  const { paper, words } = draft;
  const signatures = stacked(paper, laySignatures(draft, [words.customerSigns, words.mechanicSigns]));
  const rest = CHECKS_HEIGHT + lineHeight(STRONG) + BELOW_REMARKS + signatures.height;
  paper.room(rest + FEWEST_REMARK_ROWS * REMARK_ROW);
  const rows = Math.min(MOST_REMARK_ROWS, Math.floor((paper.bottom - paper.y - rest) / REMARK_ROW));
  putBoxes(draft);
  paper.put(words.remarks, LEFT, paper.y, STRONG);
  paper.y += lineHeight(STRONG);
  for (let row = 0; row < rows; row += 1) {
    paper.y += REMARK_ROW;
    paper.rule(paper.y);
  }
  paper.y += BELOW_REMARKS;
  signatures.put();
}

/** A wide box for the mileage, and a box for each tyre. */
function putBoxes({ paper, words }: Draft): void {
  const half = (WIDTH - 20) / 2;
  const right = RIGHT - half;
  const tyre = half / words.tyrePlaces.length;
  const top = paper.y + ABOVE_CHECKS;
  paper.put(words.mileage, LEFT, paper.y, STRONG);
  paper.put(words.tyres, right, paper.y, STRONG);
  paper.box([LEFT, top, half, CHECK_HEIGHT], { line: PALE });
  paper.put(words.kilometres, LEFT + half - 6, top + CHECK_HEIGHT - 16, SMALL, 'right');
  words.tyrePlaces.forEach((place, index) => {
    const x = right + index * tyre;
    paper.box([x, top, tyre, CHECK_HEIGHT], { line: PALE });
    paper.put(place, x + 5, top + 3, SMALL);
  });
  paper.y += CHECKS_HEIGHT;
}

/** One box per signature, side by side. */
function laySignatures({ paper, words }: Draft, titles: readonly string[]): Block[] {
  if (titles.length === 0) return [];
  const put = () => {
    const width = (WIDTH - 20) / 2;
    titles.forEach((title, index) => {
      const x = index === 0 ? LEFT : RIGHT - width;
      paper.box([x, paper.y, width, SIGNATURE_HEIGHT], { line: PALE });
      paper.put(title, x + 8, paper.y + 6, STRONG);
      paper.put(words.nameAndDate, x + 8, paper.y + SIGNATURE_HEIGHT - 18, SMALL);
    });
    paper.y += SIGNATURE_HEIGHT;
  };
  return [space(paper, ABOVE_SIGNATURES), { height: SIGNATURE_HEIGHT, put }];
}
