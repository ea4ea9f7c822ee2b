// Lays out everything about a person as a PDF: one section for each kind of record, each record as labels and values.
// It leaves out what is empty, and the IDs: personal-data.json beside it has all.
import type { Field, Row, Stored } from '../../../core/model/fields/field.ts';
import type { Resource } from '../../../core/model/records/record.ts';
import { resourceNamed } from '../../../core/model/records/registry.ts';
import { type Named, nameOf } from '../../../core/trade/identity/printed-name.ts';
import { LISTS } from '../../../core/trade/lists.ts';
import { GREY } from './color.ts';
import type { Buyer, Instant, Seller } from './data.ts';
import { day, dayAndTime, instantOf, number } from './format.ts';
import { LEFT, lineHeight, Paper, RIGHT, type Style } from './paper.ts';
import { labelOf, PERSON_WORDS, sectionTitle } from './words/person-words.ts';
import { type Language, languageOf, WORDS } from './words/words.ts';

/** The records of one resource. Fields that the person does not get are missing in the rows. */
export interface Section {
  readonly resource: Resource;
  readonly rows: readonly Row[];
}

/** One line of the log. */
export interface PersonChange {
  readonly at: Instant;
  readonly resource: string;
  readonly record_id: number;
  readonly action: string;
  /** `{"field": [old, new]}` */
  readonly changes: Readonly<Record<string, readonly [from: unknown, to: unknown]>>;
}

export interface PersonData {
  readonly owner: Pick<Seller, 'name' | 'timezone'> & { readonly id: number };
  readonly contact: Named & Pick<Buyer, 'language'>;
  readonly takenAt: Instant;
  /** The contact first. */
  readonly sections: readonly Section[];
  readonly changes: readonly PersonChange[];
}

const TITLE: Style = { font: 'bold', size: 18 };
const SECTION: Style = { font: 'bold', size: 12 };
const BODY: Style = { font: 'regular', size: 9.5 };
const LABEL: Style = { font: 'regular', size: 9.5, color: GREY };
const FOOT: Style = { font: 'regular', size: 8, color: GREY };
const VALUE_X = LEFT + 150;
const FOOT_HEIGHT = 22;
/** A section of a lease company would take the memory of the thread. */
const MOST_RECORDS = 500;

interface Sheet {
  readonly paper: Paper;
  readonly language: Language;
  readonly owner: PersonData['owner'];
}

/** Makes the PDF, in the language of the person. The same data make the same bytes. */
export function renderPersonalData({
  owner,
  contact,
  takenAt,
  sections,
  changes,
}: PersonData): Promise<Buffer> {
  const language = languageOf(contact.language);
  const words = PERSON_WORDS[language];
  const title = words.title(nameOf(contact));
  const created = instantOf(takenAt).toJSDate();
  const paper = new Paper({ title, author: owner.name, language, created });
  const foot = paper.bottom;
  paper.bottom -= FOOT_HEIGHT;
  paper.flow(title, TITLE, 'H1');
  paper.y += 4;
  paper.flow(words.kept(owner.name, day(takenAt, owner, language)), BODY);
  const sheet: Sheet = { paper, language, owner };
  for (const { resource, rows } of sections) {
    const records = rows.map((row) => pairsOf(sheet, resource, row));
    putSection(sheet, sectionTitle(resource, language), records);
  }
  putSection(
    sheet,
    words.changes,
    changes.map((change) => changePairs(sheet, change)),
  );
  return paper.finish((page, of) => {
    paper.put(WORDS[language].page(page, of), RIGHT, foot - lineHeight(FOOT), FOOT, 'right');
  });
}

type Pair = readonly [label: string, value: string];

function putSection({ paper, language }: Sheet, title: string, records: readonly (readonly Pair[])[]): void {
  const words = PERSON_WORDS[language];
  paper.room(5 * lineHeight(SECTION));
  paper.y += 14;
  paper.flow(title, SECTION, 'H2');
  paper.rule(paper.y + 1);
  paper.y += 6;
  if (records.length === 0) paper.flow(words.none, LABEL);
  records.slice(0, MOST_RECORDS).forEach((pairs, index) => {
    if (index > 0) paper.y += 6;
    for (const pair of pairs) putPair(paper, pair);
  });
  if (records.length > MOST_RECORDS) paper.flow(words.more(records.length - MOST_RECORDS), LABEL);
}

/** A long value may span pages. */
function putPair(paper: Paper, [label, value]: Pair): void {
  const lines = paper.wrap(value, RIGHT - VALUE_X, BODY);
  paper.structure.tagged('P', () => {
    lines.forEach((line, index) => {
      paper.room(lineHeight(BODY));
      if (index === 0) paper.put(label, LEFT, paper.y, LABEL);
      paper.put(line, VALUE_X, paper.y, BODY);
      paper.y += lineHeight(BODY);
    });
  });
}

function pairsOf(sheet: Sheet, { fields }: Resource, row: Readonly<Row>): Pair[] {
  return Object.entries(row).flatMap(([name, stored]): Pair[] => {
    const field = fields.get(name);
    if (!field || stored === null || stored === '' || field.primary || field.reference) return [];
    if (field.kind === 'json') return copiesOf(sheet, field, String(stored));
    const value = shownValue(sheet, field, stored);
    return value === undefined ? [] : [[labelOf(name, sheet.language), value]];
  });
}

/** The copies that an invoice keeps of the buyer and of vehicles. The seller is the garage itself. */
function copiesOf(sheet: Sheet, { copyOf }: Field, json: string): Pair[] {
  if (copyOf === undefined || copyOf === 'owner') return [];
  const copies = [JSON.parse(json) as Row | Row[]].flat();
  return copies.flatMap((copy) => pairsOf(sheet, resourceNamed(copyOf), copy));
}

/** Undefined if the value says nothing: a flag that is not set. */
function shownValue({ language, owner }: Sheet, field: Field, stored: Stored): string | undefined {
  const { list, kind, schema } = field;
  if (list) {
    const name = Object.entries(LISTS[list]).find(([, value]) => value === stored)?.[0];
    return name?.toLowerCase().replaceAll('_', ' ') ?? String(stored);
  }
  if (schema.enum) return stored === 1 ? PERSON_WORDS[language].yes : undefined;
  if (kind === 'timestamp') return moment(String(stored), owner, language);
  return kind === 'decimal' ? number(String(stored), language) : String(stored);
}

/** A day was given without a time: a date of birth is the same day everywhere. */
const moment = (stored: Instant, owner: PersonData['owner'], language: Language): string =>
  stored.endsWith(' 00:00:00.000')
    ? day(stored, { timezone: 'UTC' }, language)
    : dayAndTime(stored, owner, language);

function changePairs({ language, owner }: Sheet, { at, resource, action, changes }: PersonChange): Pair[] {
  const shown = (value: unknown) => (value === null ? '–' : String(value));
  return [
    [dayAndTime(at, owner, language), `${sectionTitle(resourceNamed(resource), language)}: ${action}`],
    ...Object.entries(changes).map(
      ([name, [from, to]]): Pair => [labelOf(name, language), `${shown(from)} → ${shown(to)}`],
    ),
  ];
}
