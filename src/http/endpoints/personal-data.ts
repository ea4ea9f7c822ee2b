// The rights of a person whose data a garage keeps: POST /contact/personaldata gives the person all of it, and
// PUT /contact/anonymise removes it.

import { anonymise } from '../../business/privacy/anonymise.ts';
import { problem, violation } from '../../core/errors.ts';
import { refuseUnknown } from '../../core/model/bodies/check.ts';
import { int4 } from '../../core/model/fields/field.ts';
import { findRecord } from '../../core/model/lists/find.ts';
import { garageOf } from '../../core/model/statements/garage.ts';
import { refuseState } from '../../core/model/writes/state.ts';
import { demandRecord } from '../../core/model/writes/store.ts';
import { Contact } from '../../core/resources/contact.ts';
import { tidyFiles } from '../../work/jobs/tidier.ts';
import { removeArchives, takeBackResults } from '../../work/jobs/withdraw.ts';
import { type Answer, success } from '../answer.ts';
import { type Call, type Endpoint, post, put } from '../endpoint.ts';
import { expectation } from '../etag.ts';
import { BODY_WITH_ID, integer, RECORD_ID, text } from '../openapi/operation.ts';
import { addressErrors, changeStates } from '../openapi/record-errors.ts';
import { list, object } from '../openapi/schema.ts';
import { bodyId, readOptionalId } from '../primary-id.ts';
import { accept, answeredOnce, longRunningDoc, longRunningForm } from './long-running.ts';

const FIELDS = { id: int4({ required: true, description: 'ID of a contact' }) };
const PERSONAL_DATA = longRunningForm('personaldata', FIELDS, { webhookUrl: 'optional' });

export const personalDataEndpoints: Endpoint[] = [
  post('/contact/personaldata', {
    needs: 'ADMIN',
    form: PERSONAL_DATA,
    handle: answeredOnce(requestPersonalData),
    doc: longRunningDoc(
      'personalData',
      'Collect everything about a contact in one zip, as JSON and as a PDF in the language of the contact',
      [violation('record_unknown', { field: 'id', value: 5 })],
    ),
  }),
  put('/contact/anonymise', {
    needs: 'ADMIN',
    parameters: ['id'],
    readId: readOptionalId,
    body: 'optional',
    handle: anonymiseContact,
    doc: {
      summary: 'Remove the personal data of a contact; it cannot be undone',
      operationId: 'anonymiseContact',
      description:
        'Empties the fields that bear `x-personal` (names become `Anoniem`) of the contact, of its orders, of the vehicles that only the ' +
        'contact has and of other records about the contact; deletes its communications and its documents that are not invoices; hides the values in the audit. Archives of ' +
        'this garage expire, because they may hold the person. Orders that are open stay open. `kept` lists the invoices that the law keeps, ' +
        'each until its last day; after that day they are emptied too.',
      parameters: { id: { ...RECORD_ID, required: false } },
      body: BODY_WITH_ID,
      data: object({
        id: integer,
        kept: list({ invoice_number: text, until: { type: 'string', format: 'date' } }),
      }),
      requestHeaders: ['If-Match'],
      errors: [...addressErrors, violation('field_unknown', { field: 'colour' }), ...changeStates],
    },
  }),
];

async function requestPersonalData(call: Call): Promise<Answer> {
  const { id, webhook_url } = await PERSONAL_DATA.read(call);
  return accept(call, 'personal-data', webhook_url, async (session) => {
    const contact = await findRecord(garageOf(session, call.identity.owner), Contact.resource, id);
    if (!contact) throw problem('record_unknown', { field: 'id', value: id });
    return { contact: id };
  });
}

async function anonymiseContact(call: Call): Promise<Answer> {
  const { services, body, ctx, actor } = call;
  const { owner } = actor;
  const id = bodyId(body, call.id);
  const contact = Contact.resource;
  // So that the transaction has few changes to place.
  await services.feed.place(owner);
  const { kept, archives } = await services.database.transaction(async (session) => {
    const row = await demandRecord(garageOf(session, owner), contact, id, expectation(ctx));
    refuseState(contact, row, {});
    refuseUnknown(body, ['id']);
    const kept = await anonymise(garageOf(session, owner), id);
    return { kept, archives: await takeBackResults(garageOf(session, owner)) };
  }, actor);
  await removeFiles(call, archives);
  services.jobs.poke();
  return success({ id, kept });
}

/** The next tidying removes files that are left. */
async function removeFiles({ ctx, services }: Call, archives: readonly string[]): Promise<void> {
  try {
    await removeArchives(services.storage, archives);
    await tidyFiles(services.database);
  } catch (error) {
    const { requestId: request_id } = ctx.state;
    services.log.error(
      { err: error, request_id },
      'files of an anonymised contact stay until the next tidying',
    );
  }
}
