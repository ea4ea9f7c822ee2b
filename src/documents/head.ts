// Draws the part above the lines: seller, buyer, details and vehicle. Also draws the foot of every page: the seller
// and the page number.
import { LISTS } from '../trade/lists.ts';
import { type Draft, isCredit, isInvoice, nameDocument, numberOf } from './draft.ts';
import { addressLines, day, dayAndTime, iban, nameOf, number, personOf } from './format.ts';
import { GREY, INK, LEFT, lineHeight, RIGHT, type Style, TINT, WIDTH } from './paper.ts';

const { QUOTATION } = LISTS.documenttypes;

const NAME: Style = { font: 'bold', size: 17 };
const TITLE: Style = { font: 'bold', size: 20 };
const BODY: Style = { font: 'regular', size: 10 };
const STRONG: Style = { font: 'bold', size: 10 };
const SMALL: Style = { font: 'regular', size: 8.5, color: GREY };
const LABEL: Style = { font: 'regular', size: 8.5, color: GREY };
const FOOT: Style = { font: 'regular', size: 7.5, color: GREY };

const SELLER_X = 376;
const DETAIL_X = 330;
const DETAIL_VALUE_X = 428;
const PAGE_NUMBER_WIDTH = 90;

/** Draws seller, title, buyer, details, vehicle and description. Moves the cursor below them. */
export function putHead(draft: Draft): void {
  const { paper, data } = draft;
  paper.y = putSeller(draft) + 14;
  paper.rule(paper.y, INK, LEFT, RIGHT, 1);
  paper.y += 16;
  paper.y = paper.block(draft.words.titles[nameDocument(data).type], LEFT, paper.y, WIDTH, TITLE) + 8;
  paper.y = Math.max(putBuyer(draft), putDetails(draft)) + 16;
  if (data.vehicle) paper.y = putVehicle(draft) + 14;
  if (data.order.description) {
    paper.flow(data.order.description, BODY);
    paper.y += 10;
  }
}

/** Reserves the room of the foot on all pages. Returns the function that draws the foot. */
export function layFoot({ paper, data, words }: Draft, title: string): (page: number, of: number) => void {
  const { seller } = data;
  const account =
    seller.iban && `${words.iban} ${iban(seller.iban)}${seller.bic ? ` (BIC ${seller.bic})` : ''}`;
  const parts = [
    seller.legal_name || seller.name,
    seller.kvk_number && `${words.kvk} ${seller.kvk_number}`,
    seller.vat_number && `${words.vat} ${seller.vat_number}`,
    account,
  ];
  const lines = paper.wrap(parts.filter(Boolean).join('  ·  '), WIDTH - PAGE_NUMBER_WIDTH, FOOT);
  const top = paper.bottom - lines.length * lineHeight(FOOT);
  paper.bottom = top - 16;
  paper.head = () => {
    paper.put(`${title} (${words.continued})`, LEFT, paper.y, SMALL);
    paper.rule(paper.y + 14);
    paper.y += 24;
  };
  return (page, of) => {
    paper.rule(top - 6);
    lines.forEach((line, index) => {
      paper.put(line, LEFT, top + index * lineHeight(FOOT), FOOT);
    });
    paper.put(words.page(page, of), RIGHT, top, FOOT, 'right');
  };
}

function putSeller({ paper, data, words, language }: Draft): number {
  const { seller, buyer, countries } = data;
  const top = paper.y;
  let left = paper.block(seller.name, LEFT, top, SELLER_X - LEFT - 24, NAME);
  if (seller.legal_name && seller.legal_name !== seller.name)
    left = paper.block(seller.legal_name, LEFT, left + 1, SELLER_X - LEFT - 24, SMALL);
  const lines = [
    ...addressLines(seller, abroad(seller, buyer, countries), language),
    seller.phone && `${words.phone} ${seller.phone}`,
    seller.email,
    seller.website,
    seller.kvk_number && `${words.kvk} ${seller.kvk_number}`,
    seller.vat_number && `${words.vat} ${seller.vat_number}`,
  ];
  let right = top + 4;
  for (const line of lines) {
    if (line) right = paper.block(line, SELLER_X, right, RIGHT - SELLER_X, SMALL);
  }
  return Math.max(left, right);
}

/** The country of an address, if the other party is in another country. */
const abroad = (
  one: { country_id: number },
  other: { country_id: number },
  countries: ReadonlyMap<number, string>,
) => (one.country_id === other.country_id ? undefined : countries.get(one.country_id));

function putBuyer({ paper, data, words, language }: Draft): number {
  const { seller, buyer, countries } = data;
  const person = buyer.company_name ? personOf(buyer) : '';
  const lines = [
    ...(person === '' ? [] : [`${words.attention} ${person}`]),
    ...addressLines(buyer, abroad(buyer, seller, countries), language),
  ];
  const width = DETAIL_X - LEFT - 30;
  let y = paper.block(nameOf(buyer), LEFT, paper.y, width, STRONG);
  for (const line of lines) y = paper.block(line, LEFT, y, width, BODY);
  return y;
}

function putDetails(draft: Draft): number {
  const { paper } = draft;
  let { y } = paper;
  for (const [label, value] of details(draft)) {
    if (!value) continue;
    const labelEnd = paper.block(label, DETAIL_X, y + 1, DETAIL_VALUE_X - DETAIL_X - 6, LABEL);
    y = Math.max(labelEnd, paper.block(value, DETAIL_VALUE_X, y, RIGHT - DETAIL_VALUE_X, BODY));
  }
  return y;
}

function details({ data, words, language }: Draft): [label: string, value: string | null | undefined][] {
  const { order, seller, buyer, credited, type } = data;
  const { type: printed, date } = nameDocument(data);
  const on = (instant: string | null) => instant && day(instant, seller, language);
  const at = (instant: string | null) => instant && dayAndTime(instant, seller, language);
  const customer = buyer.debtor_number || String(buyer.contact_number ?? '');
  const own: [string, string | null][] = [
    [words.numbers[printed], numberOf(data)],
    [words.dates[printed], on(date)],
  ];
  const about: [string, string | null | undefined][] = [
    [words.reference, order.reference],
    [words.customer, customer],
  ];
  if (isInvoice(data)) {
    const credits: [string, string | null | undefined][] = [
      [words.credits, credited?.invoice_number],
      [words.creditedOn, on(credited?.invoice_date ?? null)],
    ];
    const due: [string, string | null] = [words.due, on(order.due_date)];
    return [
      ...own,
      ...(isCredit(data) ? credits : [due]),
      [words.supplied, on(order.order_date)],
      [words.order, String(order.order_number ?? '')],
      ...about,
      [words.buyerVat, buyer.vat_number],
    ];
  }
  const planned: [string, string | null | undefined][] = [
    [words.appointment, at(order.appointment_at)],
    [words.plannedOut, at(order.planned_out_at)],
    [words.employee, data.employee],
  ];
  return [...own, ...about, ...(type === QUOTATION ? [] : planned)];
}

function putVehicle({ paper, data, words, language }: Draft): number {
  const { vehicle, order } = data;
  if (!vehicle) return paper.y;
  const mileage = order.mileage ?? vehicle.mileage;
  const driven = mileage === null ? '' : `${number(String(mileage), language)} ${words.kilometres}`;
  const name = [vehicle.make, vehicle.model, vehicle.version_name].filter(Boolean).join(' ');
  const cells: [label: string, value: string, width: number][] = [
    [words.plate, vehicle.license_plate, 88],
    [words.makeAndModel, name, 178],
    [words.vin, vehicle.vin ?? '', 128],
    [words.mileage, driven, 73],
  ];
  const top = paper.y + 7;
  const values = cells.map(([, value, width]) => paper.wrap(value, width - 8, STRONG));
  const height =
    Math.max(...values.map((lines) => lines.length)) * lineHeight(STRONG) + lineHeight(LABEL) + 13;
  paper.box(LEFT, paper.y, WIDTH, height, { fill: TINT });
  let x = LEFT + 10;
  cells.forEach(([label, , width], index) => {
    paper.put(label, x, top, LABEL);
    values[index]?.forEach((line, row) => {
      paper.put(line, x, top + lineHeight(LABEL) + row * lineHeight(STRONG), STRONG);
    });
    x += width;
  });
  return paper.y + height;
}
