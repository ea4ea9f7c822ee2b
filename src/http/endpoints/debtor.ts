// GET /debtor: what customers owe at the end of a day, by age.
import { AGES, readDebtors } from '../../business/books/debtors.ts';
import { violation } from '../../core/errors.ts';
import { day } from '../../core/model/fields/field.ts';
import { utcDay } from '../../core/trade/time/timestamp.ts';
import { type Answer, successList } from '../answer.ts';
import { type Call, type Endpoint, get } from '../endpoint.ts';
import { amount, integer, optionalInstant, TOO_SLOW, text } from '../openapi/operation.ts';
import { list } from '../openapi/schema.ts';
import { query } from '../query.ts';
import { notADay, readBooks } from './vat-return.ts';

const AT = query({ at: day({ description: 'A day on the calendar of the garage; today if it is missing' }) });

export const debtorEndpoints: Endpoint[] = [
  get('/debtor', {
    needs: 'USER',
    query: AT,
    handle: debtors,
    doc: () => ({
      tag: 'books',
      operationId: 'listDebtors',
      summary: 'Debts of customers, by age',
      description:
        'For ADMIN and USER. One entry for each payer with an open amount at the end of the day, by name. It adds up invoices until ' +
        'that day, less their payments until that day. `not_due` is due on the day or later, `days_30` is 1 to 30 days past due, and so ' +
        'on. A credit note that is not settled lowers an amount, and so does a payment for a later invoice. Purchases are left out. ' +
        'The total equals the debtors in the journal.',
      data: list({
        contact_id: integer,
        name: text,
        ...Object.fromEntries(AGES.map((age) => [age, amount])),
        total: amount,
        oldest_due_date: optionalInstant,
      }),
      errors: [
        notADay('at', '2026-02-30'),
        violation('role_forbids', { endpoint: 'GET /debtor' }),
        ...TOO_SLOW,
      ],
    }),
  }),
];

async function debtors(call: Call): Promise<Answer> {
  const { at } = AT.read(call.parameters);
  const days = at == null ? undefined : { from: utcDay(at), to: utcDay(at) };
  return successList(await readBooks(call, days, readDebtors));
}
