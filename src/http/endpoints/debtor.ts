// GET /debtor: what customers owe at the end of a day, by age.
import { AGES, readDebtors } from '../../books/debtors.ts';
import { openBooks } from '../../books/period.ts';
import { violation } from '../../errors.ts';
import { refuse } from '../../model/check.ts';
import { day } from '../../model/field.ts';
import { form } from '../../model/form.ts';
import { garageOf } from '../../model/garage.ts';
import { type Answer, success } from '../answer.ts';
import type { Call, Endpoint } from '../endpoint.ts';
import { integer, type OperationDoc, optionalInstant, text } from '../openapi/operation.ts';
import { object, type SchemaObject } from '../openapi/schema.ts';
import { reading } from '../reading.ts';
import { notADay, unlessDay } from './vat-return.ts';

const AT = form('day', { at: day() });

export const debtorEndpoints: Endpoint[] = [
  {
    path: '/debtor',
    methods: { GET: { needs: 'USER', parameters: ['at'], handle: debtors, doc: debtorDoc } },
  },
];

async function debtors(call: Call): Promise<Answer> {
  const at = call.parameters.get('at');
  if (at !== undefined) {
    AT.read({ at });
    refuse(unlessDay('at', at));
  }
  const { owner } = call.identity;
  const found = await reading(call, true, async (session) =>
    readDebtors(
      await openBooks(garageOf(session, owner), at === undefined ? undefined : { from: at, to: at }),
    ),
  );
  return success(found);
}

const amount: SchemaObject = { type: 'number', format: 'double' };

function debtorDoc(): OperationDoc {
  return {
    tag: 'books',
    operationId: 'listDebtors',
    summary: 'Debts of customers, by age',
    description:
      'For ADMIN and USER. One entry for each payer with an open amount at the end of the day, by name. It adds up invoices until ' +
      'that day, less their payments until that day. `not_due` is due on the day or later, `days_30` is 1 to 30 days past due, and so ' +
      'on. A credit note that is not settled lowers an amount, and so does a payment for a later invoice. Purchases are left out. ' +
      'The total equals the debtors in the journal.',
    parameters: {
      at: {
        description: 'A day on the calendar of the garage; today if it is missing',
        schema: { type: 'string', format: 'date' },
      },
    },
    data: {
      type: 'array',
      items: object({
        contact_id: integer,
        name: text,
        ...Object.fromEntries(AGES.map((age) => [age, amount])),
        total: amount,
        oldest_due_date: optionalInstant,
      }),
    },
    errors: [
      notADay('at', '2026-02-30'),
      violation('role_forbids', { endpoint: 'GET /debtor' }),
      violation('request_too_slow'),
      violation('request_advice'),
    ],
  };
}
