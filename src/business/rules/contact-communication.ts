// At most one e-mail address of a contact is preferred. Each request that prefers one writes the row of the contact, so
// two requests at once can't both find the contact without one.
import { about, violation } from '../../core/errors.ts';
import { EMAIL, WEB_ADDRESS } from '../../core/model/fields/validation.ts';
import { rulesOf } from '../../core/model/records/record.ts';
import { siblingFinder } from '../../core/model/writes/sibling.ts';
import { Contact } from '../../core/resources/contact.ts';
import {
  ContactCommunication,
  type ContactCommunicationChange,
  type ContactCommunicationRow,
} from '../../core/resources/contact-communication.ts';
import { LISTS } from '../../core/trade/lists.ts';

const { EMAIL: EMAIL_TYPE } = LISTS.communicationtypes;

const VALIDATIONS = new Map([
  [EMAIL_TYPE as number, EMAIL],
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

const findPreferred = siblingFinder<ContactCommunicationRow, ContactCommunicationRow>({
  parent: Contact.resource,
  within: 'contact_id',
  read: ({ next, garage }, apart) =>
    ContactCommunication.of(garage)
      .where({ contact_id: next.contact_id, communication_type: EMAIL_TYPE, is_prefered_email: 1 })
      .whereNotIn('id', [...apart]),
});

async function onePreferred(change: ContactCommunicationChange) {
  const { next, previous } = change;
  if (next.is_prefered_email !== 1) return [];
  const named = { field: 'is_prefered_email', value: 1 };
  if (next.communication_type !== EMAIL_TYPE) return [violation('value_not_allowed', named)];
  const other = await findPreferred(change, isPreferred);
  if (!other) return [];
  const refused = [violation(previous ? 'value_duplicate_on_put' : 'value_duplicate', named)];
  // A child of the same body has no ID yet.
  return other.id ? about('contactcommunication', other.id, refused) : refused;
}

const isPreferred = ({ communication_type, is_prefered_email }: ContactCommunicationRow): boolean =>
  communication_type === EMAIL_TYPE && is_prefered_email === 1;
