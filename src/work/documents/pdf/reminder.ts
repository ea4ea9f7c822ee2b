// Lays out a reminder: a letter to one payer about all named invoices.
import { GREY, INK, readable } from './color.ts';
import type { Decimal, DocumentData, Instant } from './data.ts';
import type { Letterhead } from './draft.ts';
import { layFoot } from './foot.ts';
import { accountOf, day, euros, instantOf, isoDay, legalNameOf, money } from './format.ts';
import { putBuyer, putSeller } from './head.ts';
import { LEFT, lineHeight, Paper, RIGHT, type Style, WIDTH } from './paper.ts';
import { putTable } from './table.ts';
import { REMINDER_WORDS } from './words/reminder-words.ts';
import { languageOf, WORDS } from './words/words.ts';

const TITLE: Style = { font: 'bold', size: 20 };
const BODY: Style = { font: 'regular', size: 10 };
const STRONG: Style = { font: 'bold', size: 10 };
const HEAD: Style = { font: 'bold', size: 9, color: GREY };
const CELL: Style = { font: 'regular', size: 9.5 };
const SUM: Style = { font: 'bold', size: 9.5 };
const LABEL: Style = { font: 'regular', size: 9, color: GREY };
const DETAIL_X = 330;
const DETAIL_VALUE_X = 428;
const PARAGRAPH = 9;
const PADDING = 3.5;
/** The left edges of the columns; for amounts, the right edges. */
const COLUMNS = { invoice: LEFT, date: 190, due: 290, total: 450, open: RIGHT };

interface InvoiceInDefault {
  readonly invoice_number: string;
  readonly invoice_date: Instant;
  readonly due_date: Instant;
  readonly total_gross: Decimal;
  readonly amount_open: Decimal;
}

export interface ReminderData extends Pick<DocumentData, 'seller' | 'buyer' | 'countries' | 'style'> {
  readonly date: Instant;
  readonly invoices: readonly InvoiceInDefault[];
  /** The open amount of all invoices together. */
  readonly sum: Decimal;
  /** The costs that a person owes if the sum is not paid in time. Undefined: the payer is a company. */
  readonly costs?: Decimal;
}

/** `Betalingsherinnering 2026-05-06`, and `betalingsherinnering-1004-2026-05-06.pdf`. */
export function nameReminder({ buyer, seller, date }: ReminderData): { title: string; fileName: string } {
  const word = REMINDER_WORDS[languageOf(buyer.language)].title;
  const on = isoDay(date, seller);
  const file = word.toLowerCase().replace(/\s+/g, '-');
  return { title: `${word} ${on}`, fileName: `${file}-${buyer.contact_number ?? buyer.id}-${on}.pdf` };
}

export function renderReminder(data: ReminderData): Promise<Buffer> {
  const { seller, buyer, date, style } = data;
  const language = languageOf(buyer.language);
  const { title } = nameReminder(data);
  const author = legalNameOf(seller);
  const paper = new Paper({ title, author, language, created: instantOf(date).toJSDate() });
  const letter: Letter = { paper, data, language, words: WORDS[language], own: REMINDER_WORDS[language] };
  const foot = layFoot(letter, title);
  paper.y = putSeller(letter) + 14;
  paper.rule(paper.y, style?.accent_color ?? INK, LEFT, RIGHT, 1.5);
  paper.y += 16;
  const color = readable(style?.accent_color ?? INK);
  paper.y = paper.block(letter.own.title, [LEFT, paper.y, WIDTH], { ...TITLE, color }, 'H1') + 8;
  paper.y = Math.max(putBuyer(letter), putDetails(letter)) + 22;
  putText(letter);
  return paper.finish(foot);
}

interface Letter extends Letterhead {
  readonly data: ReminderData;
  readonly own: (typeof REMINDER_WORDS)[keyof typeof REMINDER_WORDS];
}

function putDetails({ paper, data, own, language }: Letter): number {
  const { buyer, seller, date } = data;
  const details = [
    [own.date, day(date, seller, language)],
    [own.customer, buyer.debtor_number || String(buyer.contact_number ?? '')],
  ];
  let { y } = paper;
  for (const [label = '', value = ''] of details) {
    if (value === '') continue;
    paper.structure.tagged('P', () => {
      paper.put(label, DETAIL_X, y + 1, LABEL);
      y = paper.block(value, [DETAIL_VALUE_X, y, RIGHT - DETAIL_VALUE_X], BODY);
    });
  }
  return y;
}

function putText(letter: Letter): void {
  const { paper, data, own, language } = letter;
  const { seller, invoices, sum, costs } = data;
  paragraph(paper, own.greeting);
  paragraph(paper, own.opening(invoices.length === 1));
  putInvoices(letter);
  const amount = euros(sum, language);
  const account = accountOf(seller, letter.words);
  const numbers = invoices.map(({ invoice_number }) => invoice_number).join(', ');
  paragraph(
    paper,
    (costs === undefined ? own.paySoon(amount) : own.payWithin(amount)) +
      (account === '' ? '' : own.to(account, legalNameOf(seller))) +
      own.stating(numbers),
  );
  if (costs !== undefined) paragraph(paper, own.costs(euros(costs, language)));
  const ways = [seller.phone, seller.email].filter(Boolean).join(own.or);
  paragraph(paper, own.crossed(ways === '' ? '' : own.by + ways));
  paper.room(3 * lineHeight(BODY));
  paper.flow(own.closing, BODY);
  paper.y += PARAGRAPH;
  paper.flow(seller.name, STRONG);
}

function paragraph(paper: Paper, text: string): void {
  paper.flow(text, BODY);
  paper.y += PARAGRAPH;
}

type Cells = Readonly<Record<keyof typeof COLUMNS, string>>;

/** The invoices as a table, and their sum. */
function putInvoices(letter: Letter): void {
  const { paper, data, own, language } = letter;
  const { seller } = data;
  const on = (instant: Instant) => day(instant, seller, language);
  const titles: Cells = {
    invoice: own.invoice,
    date: own.invoiceDate,
    due: own.due,
    total: `${own.total} (€)`,
    open: `${own.open} (€)`,
  };
  const putHead = () => {
    row(paper, titles, HEAD, 'TH');
    paper.rule(paper.y);
  };
  paper.room(4 * lineHeight(CELL));
  putTable(paper, putHead, () => {
    for (const { invoice_number, invoice_date, due_date, total_gross, amount_open } of data.invoices)
      row(
        paper,
        {
          invoice: invoice_number,
          date: on(invoice_date),
          due: on(due_date),
          total: money(total_gross, language),
          open: money(amount_open, language),
        },
        CELL,
      );
    paper.rule(paper.y);
    row(paper, { invoice: own.sum, date: '', due: '', total: '', open: money(data.sum, language) }, SUM);
  });
  paper.y += PARAGRAPH;
}

function row(paper: Paper, cells: Cells, style: Style, role: 'TH' | 'TD' = 'TD'): void {
  paper.room(lineHeight(style) + 2 * PADDING);
  paper.y += PADDING;
  paper.structure.tagged('TR', () => {
    for (const [name, text] of Object.entries(cells)) {
      const align = name === 'total' || name === 'open' ? 'right' : 'left';
      const options = role === 'TH' ? ({ scope: 'Column' } as const) : {};
      const x = COLUMNS[name as keyof Cells];
      paper.structure.tagged(role, () => paper.put(text, x, paper.y, style, align), options);
    }
  });
  paper.y += lineHeight(style) + PADDING;
}
