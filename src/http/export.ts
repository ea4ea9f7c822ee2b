// POST /export: asks for a list as one file, with the cursor of the feed that belongs to it.
import { forbidden } from '../auth/permission.ts';
import { violation } from '../errors.ts';
import { exportable, FORMATS, type Format, readListAsked } from '../export/request.ts';
import { refuse } from '../model/check.ts';
import { flag, text } from '../model/field.ts';
import type { Answer } from './answer.ts';
import type { Call, Endpoint } from './endpoint.ts';
import { accept, longRunningDoc, longRunningForm } from './long-running.ts';
import type { OperationDoc } from './openapi/operation.ts';

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

/** Takes one of these names. A function gives them, since the resources are known only later. */
function oneOf(name: string, names: () => readonly string[]) {
  return { name, normalise: (value: string) => (names().includes(value) ? value : undefined) };
}

export const exportEndpoints: Endpoint[] = [
  {
    path: '/export',
    methods: { POST: { body: 'required', handle: requestExport, doc: exportDoc } },
  },
];

async function requestExport(call: Call): Promise<Answer> {
  const { owner, allow, role } = call.identity;
  const { webhook_url, format, raw, ...asked } = await EXPORT.read(call);
  refuse([forbidden(allow, role, 'GET', `/${asked.resource}`) ?? []].flat());
  readListAsked(owner, asked);
  const form = { format: (format ?? 'ndjson') as Format, raw };
  return accept(call, 'export', webhook_url, async () => ({ ...asked, ...form }));
}

function exportDoc(): OperationDoc {
  const doc = longRunningDoc('exportRecords', 'Export a list into one file', EXPORT, [
    violation('role_forbids', { endpoint: 'GET /webhooksubscription' }),
    violation('parameter_invalid', { field: 'filter', reason: 'at character 1: a field name is expected' }),
    violation('value_wrong_type', { field: 'contact_kind', value: 'x', datatype: 'int4' }),
  ]);
  return {
    ...doc,
    description:
      `${doc.description} The zip holds the file (\`contact.ndjson\` or \`contact.csv\`) and \`summary.json\`: \`rows\`, ` +
      '`bytes`, `sha256`, `snapshot_at` and `after`. All rows are of one snapshot, and `after` is the cursor of that snapshot: ' +
      'a copy that loads the file and goes on with `GET /changes?after=` misses no change and gets none twice.',
  };
}
