// The report of personal data as a PDF: its languages, its labels, and texts longer than a page.

import type { Row } from '../../../../src/core/model/fields/field.ts';
import { aboutOf } from '../../../../src/core/model/records/about.ts';
import { allResources, resourceNamed } from '../../../../src/core/model/records/registry.ts';
import { renderPersonalData, type Section } from '../../../../src/work/documents/pdf/person-report.ts';
import { DUTCH } from '../../../../src/work/documents/pdf/words/person-words.ts';
import { expect } from '../../../support/client/expect.ts';
import { readPdf } from '../../../support/files/pdf.ts';

const OWNER = { id: 1, name: 'Garage Test', timezone: 'Europe/Amsterdam' };
const CONTACT: Row = {
  language: null,
  first_name: 'Jan',
  last_name: 'de Boer',
  date_of_birth: '1980-01-01 00:00:00.000',
  is_customer: 1,
};

function report(contact: Row, more: readonly Section[] = []): Promise<Buffer> {
  const sections = [{ resource: resourceNamed('contact'), rows: [contact] }, ...more];
  const takenAt = '2026-05-01 10:00:00.000';
  const changes = [
    {
      at: takenAt,
      resource: 'contact',
      record_id: 1,
      action: 'updated',
      changes: { last_name: ['Boer', 'de Boer'] as const },
    },
  ];
  return renderPersonalData({ owner: OWNER, contact: contact as never, takenAt, sections, changes });
}

describe('the report of personal data', () => {
  it('is in Dutch or English, by the language of the person', async () => {
    const dutch = await readPdf(await report(CONTACT), 'personal-data-nl');
    const english = await readPdf(await report({ ...CONTACT, language: 'en' }), 'personal-data-en');

    for (const shown of [
      'Persoonsgegevens van Jan de Boer',
      'Voornaam Jan',
      'Geboortedatum 1 januari 1980',
      'Klant ja',
      'Boer → de Boer',
      '1 mei 2026',
    ])
      expect(dutch.text).to.include(shown);
    for (const shown of ['Personal data of Jan de Boer', 'First name Jan', 'Is customer yes', '1 May 2026'])
      expect(english.text).to.include(shown);
  });

  it('breaks pages within a long text, and prints 500 records of a kind', async () => {
    const notes = Array.from({ length: 300 }, (_, line) => `regel ${line}`).join('\n');
    const rows = Array.from({ length: 502 }, (_, number) => ({ value: `06-${number}` }));

    const { text, pages } = await readPdf(
      await report({ ...CONTACT, notes }, [{ resource: resourceNamed('contactcommunication'), rows }]),
      'personal-data-long',
    );

    expect(pages.length).to.be.above(8);
    for (const shown of [
      'regel 299',
      '06-499',
      'Nog 2: zie personal-data.json.',
      `Pagina 1 van ${pages.length}`,
    ])
      expect(text).to.include(shown);
    expect(text).not.to.include('06-500');
  });

  it('makes the same bytes of the same data', async () => {
    const [one, other] = [await report(CONTACT), await report(CONTACT)];

    expect(one.equals(other)).to.equal(true);
  });

  it('has a Dutch label for each field that it may print', () => {
    const missing = allResources()
      .filter(aboutOf)
      .flatMap(({ name, fields }) =>
        [...fields]
          .filter(([, field]) => !field.primary && !field.reference && !field.internal && !field.writeOnly)
          .filter(([, field]) => field.copyOf === undefined)
          .map(([field]) => field)
          .filter((field) => !(field in DUTCH))
          .map((field) => `${name}.${field}`),
      );

    expect(
      missing,
      `DUTCH of src/work/documents/pdf/words/person-words.ts lacks ${missing.join(', ')}`,
    ).to.deep.equal([]);
  });
});
