// At most one e-mail address of a contact is preferred. Each request that prefers one writes the row of the contact, so
// two requests at once can't both find the contact without one.
import { violation } from '../errors.ts';
import { EMAIL, WEB_ADDRESS } from '../model/fields/validation.ts';
import { claimRecord } from '../model/lists/find.ts';
import { rulesOf } from '../model/records/record.ts';
import { Contact } from '../resources/contact.ts';
import {
  ContactCommunication,
  type ContactCommunicationChange,
  type ContactCommunicationRow,
} from '../resources/contact-communication.ts';
import { LISTS } from '../trade/lists.ts';

const VALIDATIONS = new Map([
  [LISTS.communicationtypes.EMAIL as number, EMAIL],
  [LISTS.communicationtypes.WEBSITE as number, WEB_ADDRESS],
]);

rulesOf(ContactCommunication, {
  rules: [fitsItsType, onePreferred],
  refuses: { write: [violation('value_not_allowed', { field: 'is_prefered_email', value: 1 })] },
});

function fitsItsType({ next }: ContactCommunicationChange) {
  const validation = VALIDATIONS.get(next.communication_type);
  if (!validation || validation.normalise(next.value, {}) !== undefined) return undefined;
  return violation('value_invalid', { field: 'value', value: next.value, validation: validation.name });
}

async function onePreferred({ next, previous, garage, siblings }: ContactCommunicationChange) {
  if (next.is_prefered_email !== 1) return undefined;
  const named = { field: 'is_prefered_email', value: 1 };
  if (next.communication_type !== LISTS.communicationtypes.EMAIL)
    return violation('value_not_allowed', named);
  const refused = violation(previous ? 'value_duplicate_on_put' : 'value_duplicate', named);
  if (siblings) return siblings.some(isPreferred) ? refused : undefined;
  await claimRecord(garage, Contact.resource, next.contact_id);
  const other = await ContactCommunication.of(garage)
    .where({ contact_id: next.contact_id, communication_type: LISTS.communicationtypes.EMAIL })
    .where('is_prefered_email', 1)
    .whereNot('id', previous?.id ?? 0)
    .first();
  return other ? refused : undefined;
}

const isPreferred = ({ communication_type, is_prefered_email }: ContactCommunicationRow): boolean =>
  communication_type === LISTS.communicationtypes.EMAIL && is_prefered_email === 1;
