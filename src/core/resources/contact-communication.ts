// One way to reach a contact.
import { choice, flag, reference, varchar } from '../model/fields/field.ts';
import { type ChangeOf, type RowIn, record } from '../model/records/record.ts';

export class ContactCommunication extends record(
  'contactcommunication',
  {
    contact_id: reference('contact', { required: true, fixed: true }),
    communication_type: choice('communicationtypes', { required: true, indexed: true }),
    value: varchar(150, { required: true, indexed: true, personal: true, folding: 'contact' }),
    description: varchar(60, { personal: true }),
    is_prefered_email: flag({ description: 'At most one e-mail address of a contact' }),
  },
  {
    description: 'A telephone number, e-mail address or website of a contact',
    parent: 'contact_id',
    about: {
      contact: 'contact_id',
      anonymised: 'deleted',
      title: { nl: 'Telefoon, e-mail en website', en: 'Telephone, e-mail and website' },
    },
    personalKey: true,
    folded: { own: ['value'] },
  },
) {}

export type ContactCommunicationRow = RowIn<typeof ContactCommunication>;
export type ContactCommunicationChange = ChangeOf<typeof ContactCommunication>;
