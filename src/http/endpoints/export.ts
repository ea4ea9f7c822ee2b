// POST /export: asks for a list as one file, with the cursor of the feed that belongs to it, or for the journal of a
// period.

import { completeBooks } from '../../business/invoicing/invoice/book-date.ts';
import { type Violation, violation } from '../../core/errors.ts';
import { nameArray } from '../../core/model/bodies/array-field.ts';
import { refuse } from '../../core/model/bodies/check.ts';
import { day, flag, text } from '../../core/model/fields/field.ts';
import { referencesIn } from '../../core/model/lists/condition.ts';
import { garageOf } from '../../core/model/statements/garage.ts';
import { utcDay } from '../../core/trade/time/timestamp.ts';
import { exportable, FORMATS, type Format, readListAsked } from '../../work/export/request.ts';
import {
  DECIMALS,
  JOURNAL,
  JOURNAL_FORMATS,
  type JournalForm,
  type JournalFormat,
} from '../../work/journal/form.ts';
import { JOURNALS } from '../../work/journal/journals.ts';
import { missingForJournal } from '../../work/journal/missing.ts';
import { readScope } from '../../work/journal/scope.ts';
import type { Answer } from '../answer.ts';
import { type Call, type Endpoint, post } from '../endpoint.ts';
import { type OperationDoc, TOO_SLOW } from '../openapi/operation.ts';
import { formSchema } from '../openapi/schema.ts';
import { reading } from '../reading.ts';
import { accept, answeredOnce, longRunningDoc, longRunningForm } from './long-running.ts';
import { refuseForbidden } from './records.ts';

const FIELDS = {
  resource: text({
    required: true,
    validation: oneOf('resources', () => exportable().map(({ name }) => name)),
    description: 'The name of a resource that the key may GET',
  }),
  filter: text({ description: 'Which records, as the `filter` of a list' }),
  fields: text({ description: 'Which fields, as the `fields` of a list' }),
  sort: text({ description: 'In which order, as the `sort` of a list; by `id` if none is given' }),
  format: text({
    validation: oneOf(FORMATS.join(), () => FORMATS),
    description: '`ndjson` (one record a line, as the list shows it) or `csv`; `ndjson` if none is given',
  }),
  raw: flag({
    description:
      'Of a CSV. 0: a text that begins with `=`, `+`, `-`, `@`, a tab or a carriage return gets an apostrophe in front, so ' +
      'that no spreadsheet takes it for a formula. 1: texts stay as they are, for a file that is imported again',
  }),
};
const EXPORT = longRunningForm('export', FIELDS, { webhookUrl: 'optional' });
/** The words about each format in the OpenAPI document. */
const JOURNAL_WORDS: Readonly<Record<JournalFormat, string>> = {
  csv: 'also if none is given',
  snelstart: 'bookings for SnelStart',
  exact: 'XML of GLTransactions',
  twinfield: 'XML of journal transactions',
  xaf: 'Auditfile 4.0 of the Dutch tax office',
};
const JOURNAL_FORM = longRunningForm(
  'journal',
  {
    resource: text({
      required: true,
      validation: oneOf(JOURNAL, () => [JOURNAL]),
      description: '`journal`: the postings of all invoices and payments of a period',
    }),
    from: day({ required: true, description: 'The first day, on the calendar of the garage' }),
    to: day({ required: true, description: 'The last day' }),
    format: text({
      validation: oneOf(JOURNAL_FORMATS.join(), () => JOURNAL_FORMATS),
      description: Object.entries(JOURNAL_WORDS)
        .map(([name, words]) => `\`${name}\` (${words})`)
        .join(', '),
    }),
    decimal: text({
      validation: oneOf(DECIMALS.join(' or '), () => DECIMALS),
      description:
        'Of `csv`. `,`: a decimal comma, `;` between cells, and days as DD-MM-YYYY, as Dutch spreadsheets read them',
    }),
    journals: nameArray({
      elements: () => JOURNALS,
      named: 'journals',
      fallback: JOURNALS,
      description:
        'The names in the column `journal`; all if none is given. A program that reads the bank itself leaves out `bank`',
    }),
    raw: FIELDS.raw,
  },
  { webhookUrl: 'optional' },
);
/** The journal is made of these, so a key must be allowed to read them. */
const JOURNAL_SOURCES = ['order', 'orderline', 'payment'];

/** Takes one of these names. A function gives them, since the resources are known only later. */
function oneOf(name: string, names: () => readonly string[]) {
  return { name, normalise: (value: string) => (names().includes(value) ? value : undefined) };
}

export const exportEndpoints: Endpoint[] = [
  post('/export', {
    needs: 'USER',
    form: EXPORT,
    handle: answeredOnce(requestExport, refuseUnreadable),
    doc: exportDoc,
  }),
];

function refuseUnreadable(call: Call): void {
  const { resource } = call.body;
  refuse(refusedOf(call, resource === JOURNAL ? JOURNAL_SOURCES : [String(resource)]));
}

async function requestExport(call: Call): Promise<Answer> {
  if (call.body.resource === JOURNAL) return requestJournal(call);
  const { owner } = call.identity;
  const { webhook_url, format, raw, ...asked } = await EXPORT.read(call);
  refuse(refusedOf(call, [asked.resource]));
  const { conditions } = readListAsked(owner, asked);
  refuseForbidden(call, referencesIn(conditions), 'GET');
  const form = { format: (format ?? 'ndjson') as Format, raw };
  return accept(call, 'export', webhook_url, async () => ({ ...asked, ...form }));
}

/** Why the caller may not read these resources. */
const refusedOf = ({ forbids }: Call, resources: readonly string[]): Violation[] =>
  resources.flatMap((resource) => forbids(`GET /${resource}`) ?? []);

async function requestJournal(call: Call): Promise<Answer> {
  const { owner } = call.identity;
  const { webhook_url, raw, format, decimal, from, to, ...asked } = await JOURNAL_FORM.read(call);
  refuse(refusedOf(call, JOURNAL_SOURCES));
  const days = { from: utcDay(from), to: utcDay(to) };
  if (days.to < days.from) refuse([notAfter(days)]);
  const journals: string[] = JSON.parse(asked.journals);
  const form = { format: format ?? 'csv', decimal: decimal ?? '.', raw, journals } as JournalForm;
  await completeBooks(call.services.database, owner);
  // Before the job's transaction, whose connection has no time limit. The job itself looks again.
  const lacks = await reading(call, true, async (session) =>
    missingForJournal(await readScope(garageOf(session, owner), days, journals)),
  );
  refuse(lacks);
  return accept(call, JOURNAL, webhook_url, async () => ({ ...days, ...form }));
}

const notAfter = ({ from, to }: { from: string; to: string }): Violation =>
  violation('value_not_after', { field: 'to', value: to, other: 'from', otherValue: from });

function exportDoc(): OperationDoc {
  const doc = longRunningDoc('exportRecords', 'Export a list into one file', [
    violation('role_forbids', { endpoint: 'GET /webhooksubscription' }),
    violation('parameter_invalid', { field: 'filter', reason: 'at character 1: a field name is expected' }),
    violation('value_wrong_type', { field: 'contact_kind', value: 'x', datatype: 'int4' }),
    violation('value_wrong_type', { field: 'from', value: '2026-02-30', datatype: 'timestamp(ISO 8601)' }),
    notAfter({ from: '2026-05-02', to: '2026-05-01' }),
    violation('array_empty', { field: 'journals' }),
    { ...violation('field_empty', { field: 'debtor_account' }), resource: 'owner', id: 1 },
    ...TOO_SLOW,
  ]);
  return {
    ...doc,
    body: { anyOf: [formSchema(EXPORT), formSchema(JOURNAL_FORM)] },
    description:
      `${doc.description} The zip holds the file (\`contact.ndjson\` or \`contact.csv\`) and \`summary.json\`: \`rows\`, ` +
      '`bytes`, `sha256`, `snapshot_at` and `after`. All rows are of one snapshot, and `after` is the cursor of that snapshot: ' +
      'a copy that loads the file and goes on with `GET /changes?after=` misses no change and gets none twice. ' +
      'With `resource` `journal` the file has one line for each posting, one entry for each invoice and each payment, and ' +
      'each entry balances. What the period lacks (an account, the turnover group of a line) is refused, with its record.',
  };
}
