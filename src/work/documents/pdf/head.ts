// Draws the part above the lines: seller, buyer, details and vehicle.

import { attentionOf, nameOf } from '../../../core/trade/identity/printed-name.ts';
import { LISTS } from '../../../core/trade/lists.ts';
import { GREY, INK, TINT } from './color.ts';
import type { Address } from './data.ts';
import {
  type Draft,
  isCredit,
  isInvoice,
  isStatement,
  type Letterhead,
  nameDocument,
  numberOf,
} from './draft.ts';
import { addressLines, day, dayAfter, dayAndTime, legalNameOf, number } from './format.ts';
import { LEFT, lineHeight, RIGHT, type Style, WIDTH } from './paper.ts';

const { QUOTATION } = LISTS.documenttypes;

const NAME: Style = { font: 'bold', size: 17 };
const TITLE: Style = { font: 'bold', size: 20 };
const BODY: Style = { font: 'regular', size: 10 };
const STRONG: Style = { font: 'bold', size: 10 };
const SMALL: Style = { font: 'regular', size: 9, color: GREY };
const SMALL_NAME: Style = { font: 'bold', size: 9 };
const LABEL: Style = { font: 'regular', size: 9, color: GREY };
/** How long a quotation binds the garage. */
const DAYS_VALID = 30;

/** The seller's address and the details stand below each other. */
const DETAIL_X = 330;
const DETAIL_VALUE_X = 428;

/** Draws seller, title, buyer, details, vehicle and description. Moves the cursor below them. */
export function putHead(draft: Draft): void {
  const { paper, data, words, accent } = draft;
  paper.y = putSeller(draft) + 14;
  // The garage's own colour, however light: nobody has to read a line.
  paper.rule(paper.y, data.style?.accent_color ?? INK, LEFT, RIGHT, 1.5);
  paper.y += 16;
  const { heading } = nameDocument(data);
  paper.y = paper.block(heading, [LEFT, paper.y, WIDTH], { ...TITLE, color: accent }, 'H1') + 8;
  if (data.isSelfBilled) paper.y = paper.block(words.selfBilled, [LEFT, paper.y - 4, WIDTH], STRONG) + 8;
  const putParties = isStatement(data) ? putBothParties : putBuyer;
  paper.y = Math.max(putParties(draft), putDetails(draft)) + 16;
  if (data.vehicle) paper.y = putVehicle(draft) + 14;
  if (data.order.description) {
    paper.flow(data.order.description, BODY);
    paper.y += 10;
  }
}

/** A logo takes the place of the large name, which then stands above the address. Returns the end of the lower side. */
export function putSeller(draft: Letterhead): number {
  const { paper, data, words } = draft;
  const { seller, buyer, style } = data;
  const logo = style?.logo;
  const { structure, y: top } = paper;
  const legal = legalNameOf(seller) === seller.name ? undefined : legalNameOf(seller);
  let left = top;
  if (logo) {
    paper.picture(words.logoOf(seller.name), [LEFT, top, logo.width, logo.height], logo.bytes);
    left += logo.height;
  } else {
    const width = DETAIL_X - LEFT - 24;
    left = paper.block(seller.name, [LEFT, top, width], NAME);
    if (legal) left = paper.block(legal, [LEFT, left + 1, width], SMALL);
  }
  // The foot has the numbers of KvK and VAT.
  const lines = [
    ...(logo ? [legal] : []),
    ...addressOf(seller, buyer, draft),
    seller.phone && `${words.phone} ${seller.phone}`,
    seller.email,
    seller.website,
  ];
  const width = RIGHT - DETAIL_X;
  let right = logo ? top : top + 4;
  structure.tagged('P', () => {
    if (logo) right = paper.block(seller.name, [DETAIL_X, right, width], SMALL_NAME);
    for (const line of lines) if (line) right = paper.block(line, [DETAIL_X, right, width], SMALL);
  });
  return Math.max(left, right);
}

/** The lines of an address, with the country if the other party is in another one. */
function addressOf(one: Address, other: Address, { data, language }: Letterhead): string[] {
  const country = one.country_id === other.country_id ? undefined : data.countries.get(one.country_id);
  return addressLines(one, country, language);
}

export function putBuyer(draft: Letterhead): number {
  const { data, words } = draft;
  const { seller, buyer } = data;
  const person = attentionOf(buyer);
  return putParty(
    draft,
    draft.paper.y,
    nameOf(buyer),
    [...(person === '' ? [] : [`${words.attention} ${person}`]), ...addressOf(buyer, seller, draft)],
    data.isSelfBilled ? words.buyer : undefined,
  );
}

/** Who sold and who bought: the garage buys. */
function putBothParties(draft: Draft): number {
  const { data, words } = draft;
  const { seller: garage, buyer: contact } = data;
  const { y } = draft.paper;
  const below = putParty(draft, y, nameOf(contact), addressOf(contact, garage, draft), words.seller) + 8;
  return putParty(draft, below, legalNameOf(garage), addressOf(garage, contact, draft), words.buyer);
}

/** Draws a party below its label, and returns the end. */
function putParty(
  { paper }: Letterhead,
  top: number,
  name: string,
  lines: readonly string[],
  label?: string,
): number {
  const width = DETAIL_X - LEFT - 30;
  let y = top;
  paper.structure.tagged('P', () => {
    if (label) y = paper.block(label, [LEFT, y, width], LABEL);
    y = paper.block(name, [LEFT, y, width], STRONG);
    for (const line of lines) y = paper.block(line, [LEFT, y, width], BODY);
  });
  return y;
}

function putDetails(draft: Draft): number {
  const { paper } = draft;
  let { y } = paper;
  for (const [label, value] of details(draft)) {
    if (!value) continue;
    paper.structure.tagged('P', () => {
      const labelEnd = paper.block(label, [DETAIL_X, y + 1, DETAIL_VALUE_X - DETAIL_X - 6], LABEL);
      y = Math.max(labelEnd, paper.block(value, [DETAIL_VALUE_X, y, RIGHT - DETAIL_VALUE_X], BODY));
    });
  }
  return y;
}

type Detail = [label: string, value: string | null | undefined];

function details({ data, words, language }: Draft): Detail[] {
  const { order, seller, buyer, credited, type } = data;
  const { type: printed, date } = nameDocument(data);
  const on = (instant: string | null) => instant && day(instant, seller, language);
  const at = (instant: string | null) => instant && dayAndTime(instant, seller, language);
  const supplied: Detail = [words.supplied, on(order.supply_date)];
  const own: Detail[] = [
    [words.numbers[printed], numberOf(data)],
    [words.dates[printed], on(date)],
  ];
  const about: Detail[] = [
    [words.reference, order.reference],
    [words.buyerReference, order.buyer_reference],
    [words.customer, buyer.debtor_number || String(buyer.contact_number ?? '')],
    [words.driver, data.driver],
  ];
  if (isInvoice(data)) {
    const due: Detail[] = [[words.due, on(order.due_date)]];
    const credits: Detail[] = [
      [words.credits, credited?.invoice_number],
      [words.creditedOn, on(credited?.invoice_date ?? null)],
    ];
    return [
      ...own,
      ...(isCredit(data) ? credits : due),
      supplied,
      [words.order, String(order.order_number ?? '')],
      ...about,
      [words.approval, data.approval_number],
      [data.isSelfBilled ? words.ourVat : words.buyerVat, buyer.vat_number],
    ];
  }
  if (isStatement(data))
    return [
      ...own,
      ...(isCredit(data) ? [[words.creditsStatement, credited?.invoice_number] satisfies Detail] : []),
      supplied,
      [words.order, String(order.order_number ?? '')],
    ];
  if (type === QUOTATION)
    return [
      ...own,
      [words.validUntil, on(order.valid_until) ?? dayAfter(order.order_date, DAYS_VALID, seller, language)],
      supplied,
      ...about,
    ];
  return [
    ...own,
    supplied,
    ...about,
    [words.customerPhone, data.phones?.join('\n')],
    [words.appointment, at(order.appointment_at)],
    [words.plannedOut, at(order.planned_out_at)],
    [words.employee, data.employee],
  ];
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
  paper.box([LEFT, paper.y, WIDTH, height], { fill: TINT });
  let x = LEFT + 10;
  cells.forEach(([label, , width], index) => {
    paper.structure.tagged('P', () => {
      paper.put(label, x, top, LABEL);
      values[index]?.forEach((line, row) => {
        paper.put(line, x, top + lineHeight(LABEL) + row * lineHeight(STRONG), STRONG);
      });
    });
    x += width;
  });
  return paper.y + height;
}
