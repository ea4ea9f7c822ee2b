// CSV as RFC 4180 has it: CR LF at the end of each line, and quotes where a cell needs them.
import { stringify } from 'csv-stringify/sync';

export const csvLines = (records: readonly (readonly string[])[], delimiter = ','): string =>
  stringify([...records], { delimiter, record_delimiter: '\r\n', quote_record_delimiter: true });
