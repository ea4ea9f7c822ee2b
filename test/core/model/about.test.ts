// Each resource that leads to a person says what it holds about that person. One sentence names each thing that is
// missing.
import { expect } from 'chai';
import { type Fields, reference, text, varchar, word } from '../../../src/core/model/fields/field.ts';
import { unsaidAboutPersons } from '../../../src/core/model/records/about.ts';
import { type Resource, record } from '../../../src/core/model/records/record.ts';
import { allResources, loadResources } from '../../../src/core/model/records/registry.ts';
import type { Traits } from '../../../src/core/model/records/traits.ts';

const TITLE = { nl: 'Leenauto’s', en: 'Courtesy cars' };
const ABOUT = { contact: 'contact_id', anonymised: 'emptied', title: TITLE } as const;

describe('what resources say about persons', () => {
  before(() => loadResources());

  const made = (fields: Fields, traits: Traits = {}, name = 'loancar'): Resource =>
    record(name, fields, traits).resource;
  const unsaid = (...resources: Resource[]) => unsaidAboutPersons([...allResources(), ...resources]);

  it('names a resource that leads to a person and has no `about`, directly, by an order, a vehicle or a chain', () => {
    const cars = (name: string, field: string) => made({ [field]: reference(name) }, { personalKey: false });
    const set = cars('contact', 'contact_id');
    const trip = made(
      { loancar_id: reference('loancar'), article_id: reference('article') },
      { personalKey: false },
      'trip',
    );

    for (const name of ['contact', 'order', 'vehicle', 'payment'])
      expect(unsaid(cars(name, `${name}_id`))).to.deep.equal([
        `Resource loancar leads to a person by ${name}_id: give it the trait "about", or about: 'nobody' if its records say ` +
          'nothing about that person',
      ]);
    expect(unsaid(set, trip).map((one) => one.slice(0, 50))).to.deep.equal([
      'Resource loancar leads to a person by contact_id: ',
      'Resource trip leads to a person by loancar_id: giv',
    ]);
    expect(unsaid(made({ article_id: reference('article') }))).to.deep.equal([]);
    expect(
      unsaid(made({ contact_id: reference('contact'), notes: text() }, { about: 'nobody' })),
    ).to.deep.equal([]);
  });

  it('names each free text and the key that are not judged', () => {
    const fields = {
      contact_id: reference('contact', { required: true }),
      notes: text(),
      phone: varchar(20),
      location: varchar(20, { personal: false }),
      digest: varchar(64, { readonly: true }),
      size: word(['S', 'M']),
    };

    expect(unsaid(made(fields)).slice(1)).to.deep.equal(unsaid(made(fields, { about: ABOUT })));
    expect(unsaid(made(fields, { about: ABOUT }))).to.deep.equal([
      'Resource loancar: notes is free text of a record about a person: say personal: true, or personal: false if it never tells anything ' +
        'about the person',
      'Resource loancar: phone is free text of a record about a person: say personal: true, or personal: false if it never tells anything ' +
        'about the person',
      'Resource loancar: external_id may be an e-mail address or a license plate: say personalKey: true, or personalKey: false if ' +
        'it never is',
    ]);
  });

  it('names a way that leads to nobody, and one that is left out', () => {
    const fields = {
      contact_id: reference('contact'),
      vehicle_id: reference('vehicle'),
      article_id: reference('article'),
    };
    const said = (about: Traits['about']) => unsaid(made(fields, { about, personalKey: true }));

    expect(said({ ...ABOUT, through: ['vehicle_id'] })).to.deep.equal([]);
    expect(said(ABOUT)).to.deep.equal([
      'Resource loancar: vehicle_id leads to a person where contact_id is empty: name it in "through"',
    ]);
    expect(said({ ...ABOUT, through: ['vehicle_id', 'article_id'] })).to.deep.equal([
      'Resource loancar: "about" names article_id, which leads to no person',
    ]);
    expect(said({ anonymised: 'emptied', title: TITLE })).to.deep.equal([
      'Resource loancar: "about" must name the way to the person, by "contact" or "through"',
    ]);
    expect(said({ ...ABOUT, through: ['vehicle_id'], anonymised: 'kept' })).to.deep.equal([
      'Resource loancar: "kept" is for parts of an invoice: name its order in "through", or choose another word',
    ]);
  });

  it('names a reference that would keep a record from being deleted', () => {
    const set = made(
      { contact_id: reference('contact', { required: true }) },
      { about: { ...ABOUT, anonymised: 'deleted' }, personalKey: true },
    );
    const trip = (anonymised: 'emptied' | 'deleted') =>
      made(
        { loancar_id: reference('loancar', { required: true }) },
        { about: { through: ['loancar_id'], anonymised, title: TITLE }, personalKey: true },
        'trip',
      );

    expect(unsaid(set, trip('deleted'))).to.deep.equal([]);
    expect(unsaid(set, trip('emptied'))).to.deep.equal([
      'Resource trip: loancar_id keeps a loancar that anonymising deletes: delete trip through loancar_id, too, or empty ' +
        'loancar',
    ]);
  });
});
