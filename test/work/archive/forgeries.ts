// Ways in which a backup can be wrong, each with the message of its refusal.

import type { Json } from '../../support/client/client.ts';
import type { Forgery } from '../../support/files/backup.ts';

const DIGEST = 'f'.repeat(64);

/** Changes the first record of a resource that fits. */
export const first =
  (changes: Json, fits: (record: Json) => unknown = () => true) =>
  (records: Json[]) =>
    Object.assign(records.find(fits) ?? {}, changes);

export const FORGERIES: Record<string, [Forgery, RegExp]> = {
  'no zip': [{ bytes: () => Buffer.from('hello') }, /bad\.zip: not a readable zip/],
  'half a zip': [{ bytes: (zip) => zip.subarray(0, zip.length / 2) }, /bad\.zip: not a readable zip/],
  'another digest': [
    {
      manifest: ({ files, ...rest }) => ({
        ...rest,
        files: files.map((file) => (file.resource === 'contact' ? { ...file, sha256: DIGEST } : file)),
      }),
    },
    /^data\/contact\.ndjson: SHA-256 mismatch$/,
  ],
  'a file that is missing': [
    {
      manifest: ({ files, ...rest }) => ({
        ...rest,
        files: [...files, { path: 'data/job.ndjson', bytes: 1, sha256: DIGEST }],
      }),
    },
    /^data\/job\.ndjson: missing$/,
  ],
  'another format': [{ manifest: (made) => ({ ...made, format: 'tar' }) }, /^manifest\.json: its format/],
  'a later version': [
    { manifest: (made) => ({ ...made, version: 2 }) },
    /^manifest\.json: version 2 is unknown/,
  ],
  'an unknown resource': [
    { files: { 'data/spaceship.ndjson': '' } },
    /no resource of an owner is named spaceship/,
  ],
  'records that all share': [
    { files: { 'data/country.ndjson': '' } },
    /no resource of an owner is named country/,
  ],
  'a file that no backup has': [
    { files: { 'notes.txt': 'hello' } },
    /^notes\.txt: has no place in a backup$/,
  ],
  'a file beside the data': [{ files: { 'data/contact.csv': '' } }, /^data\/contact\.csv: has no place/],
  'a name that leads elsewhere': [
    {
      files: { 'xx/evil.txt': 'hello' },
      bytes: (zip) => Buffer.from(zip.toString('latin1').replaceAll('xx/evil.txt', '../evil.txt'), 'latin1'),
    },
    /bad\.zip: .*\.\.\/evil\.txt/,
  ],
  'a swollen file': [{ files: { 'README.txt': ' '.repeat(2 ** 20) } }, /^README\.txt: too large$/],
  'a line without end': [
    { files: { 'data/contact.ndjson': ' '.repeat(2 ** 24 + 1) } },
    /^data\/contact\.ndjson: line 1 is too long$/,
  ],
  'no owner': [{ files: { 'data/owner.ndjson': undefined } }, /^data\/owner\.ndjson: must hold one record$/],
  'two owners': [
    { records: { owner: (records) => records.push({ ...records[0], id: 2 ** 30 }) } },
    /^data\/owner\.ndjson: must hold one record$/,
  ],
  'a line that is no record': [
    { files: { 'data/contact.ndjson': '[]\n' } },
    /^data\/contact\.ndjson: line 1: Body is not valid JSON$/,
  ],
  'an unknown field': [
    { records: { contact: first({ shoe_size: 43 }) } },
    /^data\/contact\.ndjson: line 1: Field: \[shoe_size\] not found in model$/,
  ],
  'a field that is never shown': [
    { records: { employee: first({ password: 'correct horse battery' }) } },
    /Field: \[password\] not found in model$/,
  ],
  'a required field that is missing': [
    { records: { article: first({ description: undefined }) } },
    /Field: \[description\] is required and not supplied/,
  ],
  'a required field that is empty': [
    { records: { article: first({ price: null }) } },
    /Field: \[price\] is required and cannot be empty$/,
  ],
  'a text for a number': [
    { records: { orderline: first({ price: '12' }) } },
    /value: \[12\] for datatype: float8$/,
  ],
  'a day that does not exist': [
    { records: { order: first({ order_date: '2026-02-30' }) } },
    /Field: \[order_date\] has an invalid value: \[2026-02-30\]/,
  ],
  'a text that is too long': [
    { records: { contact: first({ city: 'x'.repeat(81) }) } },
    /Field: \[city\] valuelength: \[81\] too long/,
  ],
  'a value of no list': [
    { records: { order: first({ order_type: 77 }) } },
    /for validation: \[ordertypes\]$/,
  ],
  'a list for an object': [
    { records: { owner: first({ modules: [] }) } },
    /Field: \[modules\] has an invalid value/,
  ],
  'a dangling reference': [
    { records: { order: first({ contact_id: 2 ** 30 }) } },
    /^data\/order\.ndjson: line 1: Field: \[contact_id\] value: \[1073741824\] ID not found$/,
  ],
  'a dangling reference to its own kind': [
    { records: { order: first({ credited_order_id: 2 ** 30 }) } },
    /line 1: Field: \[credited_order_id\] value: \[1073741824\] ID not found$/,
  ],
  'a country that nobody knows': [
    { records: { contact: first({ country_id: 9_999 }) } },
    /Field: \[country_id\] value: \[9999\] ID not found$/,
  ],
  'a copy of nobody': [
    { records: { invoiceparty: first({ buyer: { id: 2 ** 30 } }) } },
    /Field: \[buyer\] value: \[1073741824\] ID not found$/,
  ],
  'a record that comes twice': [
    { records: { contact: (records) => records.push({ ...records[0] }) } },
    /^data\/contact\.ndjson: line \d+: id \d+ comes after \d+: IDs must rise$/,
  ],
  'an ID that is none': [{ records: { contact: first({ id: 0 }) } }, /^data\/contact\.ndjson: line 1: .*id/],
  'a number that comes twice': [
    {
      records: {
        article: (records) => Object.assign(records[0] ?? {}, { article_number: records[1]?.article_number }),
      },
    },
    /^data\/article\.ndjson: Duplicate entry/,
  ],
  'a document without its file': [
    { records: { document: first({ sha256: DIGEST }, ({ sha256 }) => sha256) } },
    /Field: \[sha256\] value: \[f{64}\] not found$/,
  ],
  'a document of another size': [
    { records: { document: first({ size: 3 }, ({ sha256 }) => sha256) } },
    /Field: \[size\] has an invalid value: \[3\]/,
  ],
  'a file without its document': [
    { records: { document: (records) => records.splice(0) } },
    /^documents\/[0-9a-f]{64}: no document has this file$/,
  ],
};
