// The command `forecourt vat-return`: the VAT return of a period, for the operator's cron. `--out` writes what GET
// /vatreturn answers.
import type { VatReturn } from '../business/books/vat-return.ts';
import {
  command,
  fileToWrite,
  optional,
  parseDays,
  required,
  requiredNumber,
  requireOwner,
  throwPlainly,
} from './command.ts';

export const vatReturnCommand = command({
  words: 'vat-return',
  summary: 'Print the VAT return of a period',
  options: {
    owner: requiredNumber('--owner <id>', 'the garage'),
    from: required('--from <day>', 'the first day, such as 2026-01-01, on the calendar of the garage'),
    to: required('--to <day>', 'the last day'),
    out: optional('--out <file>', 'writes the return as JSON'),
  },
  example: 'vat-return --owner 1 --from 2026-01-01 --to 2026-03-31 --out vat-return.json',
  run: async (base, { owner, from, to, out }) => {
    const { openBooks } = await import('../business/books/period.ts');
    const { readVatReturn } = await import('../business/books/vat-return.ts');
    const { completeBooks } = await import('../business/invoicing/invoice/book-date.ts');
    const { garageOf } = await import('../core/model/statements/garage.ts');
    const { writeWhole } = await import('../platform/storage/whole-file.ts');
    const days = parseDays(from, to);
    await requireOwner(base, owner);
    await completeBooks(base.database, owner);
    const found = await base.database
      .snapshot(async (session) => readVatReturn(await openBooks(garageOf(session, owner), days)))
      .catch(throwPlainly);
    if (out !== undefined) await writeWhole(await fileToWrite(out), `${JSON.stringify(found, null, 2)}\n`);
    return { json: { ...days, ...found }, text: await textOf(found) };
  },
});

/** One line for each box, then the parts of the margin, and the warnings. */
async function textOf({ margin, warnings, ...boxes }: VatReturn): Promise<string> {
  const { BOXES } = await import('../core/trade/vat-box.ts');
  const amount = (value: number) => value.toFixed(2).padStart(15);
  return [
    `${'box'.padEnd(14)}${'base'.padStart(15)}${'VAT'.padStart(15)}`,
    ...BOXES.map((box) => box.padEnd(14) + amount(boxes[box].base) + amount(boxes[box].vat)),
    '',
    ...Object.entries(margin).map(([name, value]) => name.padEnd(14) + amount(value)),
    ...warnings.map(({ message }) => `! ${message}`),
  ].join('\n');
}
