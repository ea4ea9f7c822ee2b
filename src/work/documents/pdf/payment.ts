// Says how and when to pay, in a sentence and as a QR code for the apps of banks. Only an invoice with an open amount
// and an IBAN to pay to has the code.
import { type Block, paragraph } from './block.ts';
import type { DocumentData } from './data.ts';
import { type Draft, isCredit, numberOf } from './draft.ts';
import { accountOf, day, euros, legalNameOf } from './format.ts';
import { LEFT, lineHeight, type Style } from './paper.ts';
import { type Matrix, matrixOf, transferText } from './payment-code.ts';
import { totalsOf } from './totals.ts';

const BODY: Style = { font: 'regular', size: 9.5 };
const STRONG: Style = { font: 'bold', size: 9.5 };
/** 30 mm: half a millimetre for each module of a usual code. */
const CODE = 85;
/** Modules that must stay empty around a code. */
const QUIET = 4;
/** Leaves half of the page to the totals. */
const CAPTION_WIDTH = 200;

/** How to pay: a sentence and, if the buyer can pay by a code, the code beside the totals. */
export function layPayment(draft: Draft): { readonly code?: Block; readonly sentence: Block } {
  const { paper } = draft;
  const sentence = paragraph(paper, sentenceOf(draft), BODY);
  const text = codeText(draft);
  return text === undefined ? { sentence } : { sentence, code: layCode(draft, matrixOf(text)) };
}

/** The open amount; negative if the garage pays. */
const openAmount = (data: DocumentData): string => data.payment?.amount_open ?? totalsOf(data).due;

/** Undefined if the buyer has nothing to pay, or no account to pay to. */
function codeText(draft: Draft): string | undefined {
  const { seller } = draft.data;
  if (!seller.iban || draft.data.isSelfBilled) return undefined;
  return transferText({
    iban: seller.iban,
    bic: seller.bic,
    name: legalNameOf(seller),
    amount: openAmount(draft.data),
    remittance: numberOf(draft.data),
  });
}

function sentenceOf(draft: Draft): string {
  const { data, words, language } = draft;
  const { seller, order, payment } = data;
  const open = openAmount(draft.data);
  const date = order.due_date === null ? '' : day(order.due_date, seller, language);
  if (Number(open) === 0) {
    if (!payment) return '';
    if (isCredit(data)) return words.settledCredit;
    return Number(payment.offset) === 0 ? words.settled : words.nothingOpen;
  }
  if (open.startsWith('-')) {
    const back = data.isSelfBilled ? words.takenBack : words.paidBack;
    return back(euros(open.slice(1), language));
  }
  const account = accountOf(seller, words);
  const to = account === '' ? '' : words.payTo(account) + words.payName(legalNameOf(seller));
  // The garage is the buyer, so the garage pays.
  if (data.isSelfBilled) return `${words.paidOut(euros(open, language), date)}${to}`.replace(/\.?$/, '.');
  return words.pay(euros(open, language), date) + to + words.payStating(numberOf(data));
}

/** The code above its caption. */
function layCode({ data, paper, words, language }: Draft, { size, runs }: Matrix): Block {
  const module = CODE / size;
  const quiet = QUIET * module;
  const caption = paper.wrap(words.scan, CAPTION_WIDTH, STRONG);
  const put = () => {
    const alt = words.scanShows(euros(openAmount(data), language));
    const parts = runs.map(({ x, y, length }) => [x * module, y * module, length * module, module] as const);
    paper.shape(alt, [LEFT, paper.y, CODE, CODE], parts);
    paper.block(words.scan, [LEFT, paper.y + CODE + quiet, CAPTION_WIDTH], STRONG);
  };
  return { height: CODE + quiet + caption.length * lineHeight(STRONG), put };
}
