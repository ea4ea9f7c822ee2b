// Forty questions as people type them, each in five spellings: every one finds its record.
import { LISTS } from '../../../src/core/trade/lists.ts';
import { build } from '../../support/build/build.ts';
import { type Client, newClient } from '../../support/client/client.ts';
import { expect } from '../../support/client/expect.ts';

const { PHONE, EMAIL } = LISTS.communicationtypes;
type Question = readonly [resource: string, field: string, stored: string, spellings: readonly string[]];

const NAMES: readonly Question[] = [
  ['contact', 'last_name', 'Jansen', ['jansen', 'JANSEN', 'Jansen', 'janse', 'ánsén']],
  ['contact', 'last_name', 'Zoëtermeer', ['zoetermeer', 'ZOËTERMEER', 'zoët', 'zoe\u0308t', 'Zoeterm']],
  ['contact', 'last_name', 'Straßer', ['strasser', 'STRASSER', 'straßer', 'Strass', 'asse']],
  ['contact', 'last_name', 'Øresund', ['oresund', 'ORESUND', 'øresund', 'Öresund', 'oresu']],
  ['contact', 'last_name', 'Crèvecœur', ['crevecoeur', 'CRÈVECŒUR', 'crèvecoeur', 'vecoe', 'Crevecœur']],
  ['contact', 'last_name', 'Łódzki', ['lodzki', 'ŁÓDZKI', 'łodzki', 'Lódzki', 'odzk']],
  ['contact', 'last_name', 'Dvořák', ['dvorak', 'DVOŘÁK', 'dvořak', 'Dvorák', 'vora']],
  ['contact', 'last_name', 'Æbelholm', ['aebelholm', 'ÆBEL', 'æbel', 'aebel', 'Aebelh']],
  ['contact', 'last_name', 'Ðurić', ['duric', 'ĐURIĆ', 'đuri', 'Duri', 'urić']],
  ['contact', 'last_name', 'Yıldız', ['yildiz', 'YILDIZ', 'yıldız', 'Yildiz', 'ıld']],
  ['contact', 'last_name', "O'Brien", ["o'brien", 'O’Brien', "O'BRIEN", 'brien', 'o‘bri']],
  ['contact', 'last_name', 'Smit–Bakker', ['smit-bakker', 'SMIT–BAKKER', 'smit—b', 'Smit‑Bak', 'bakker']],
  ['contact', 'company_name', 'Bäckerei Müller', ['backerei', 'BÄCKEREI', 'muller', 'Müller', 'bäck']],
  ['contact', 'first_name', 'Françoise', ['francoise', 'FRANÇOISE', 'franço', 'Franco', 'ncois']],
  ['contact', 'street', 'Cañada', ['canada', 'CAÑADA', 'cañada', 'Canad', 'anad']],
  ['contact', 'city', "'s-Gravenhage", ["'s-gravenhage", '’s-Grav', 'gravenhage', 'GRAVEN', "'S-GRAV"]],
  ['contact', 'city', 'IJmuiden', ['ijmuiden', 'IJMUIDEN', 'ĳmuiden', 'Ĳmuiden', 'jmui']],
];
const CODES: readonly Question[] = [
  ['contact', 'postcode', '3581 KL', ['3581kl', '3581 KL', '3581-kl', '3581KL', '81kl']],
  [
    'contact',
    'iban',
    'NL91ABNA0417164300',
    ['nl91abna', 'NL91 ABNA', 'nl91 abna 0417 1643 00', '0417-1643', 'abna04'],
  ],
  [
    'contact',
    'vat_number',
    'NL123456782B12',
    ['nl123456782b12', 'NL.123456782.B12', '123456782', '82b12', '82 B 12'],
  ],
  ['contact', 'kvk_number', '12345678', ['12345678', '1234 5678', '12.34.56.78', '1234-5678', '345678']],
  ['vehicle', 'license_plate', 'ZX-123-V', ['zx123v', 'ZX-123-V', 'zx 123 v', 'ZX123V', 'x12']],
  ['vehicle', 'license_plate', '12-AB-CD', ['12abcd', '12-ab-cd', '12 AB CD', '12ABCD', '2abc']],
  ['vehicle', 'vin', 'WVWZZZ1JZ3W386752', ['wvwzzz1jz3w386752', 'WVWZZZ', '386752', '3w 386752', 'wvw-zzz']],
  ['vehicle', 'engine_number', 'AB 12.34', ['ab1234', 'AB 12.34', 'ab-12-34', 'AB1234', 'b123']],
  ['article', 'article_number', 'OLF-00/03', ['olf0003', 'OLF-00/03', 'olf 00 03', 'OLF0003', 'f00.03']],
  ['article', 'ean', '8712345678906', ['8712345678906', '87 1234567 8906', '871-234', '5678906', '8906']],
];
const TEXTS: readonly Question[] = [
  ['vehicle', 'make', 'Citroën', ['citroen', 'CITROËN', 'Citroën', 'citro', 'troën']],
  ['vehicle', 'make', 'Škoda', ['skoda', 'ŠKODA', 'škoda', 'Skod', 'koda']],
  ['vehicle', 'model', 'C-Max', ['c-max', 'C-MAX', 'C‐Max', 'c–ma', 'max']],
  [
    'vehicle',
    'version_name',
    'Première Édition',
    ['premiere', 'ÉDITION', 'edition', 'première é', 'PREMIERE E'],
  ],
  ['article', 'description', 'Ölfilter', ['olfilter', 'ÖLFILTER', 'ölfilter', 'Olfil', 'filter']],
  ['article', 'brand', 'Bosch®', ['bosch', 'BOSCH', 'Bosch®', 'bosc', 'sch®']],
  ['order', 'reference', 'PO-7781/Ü', ['po-7781', 'PO-7781/Ü', 'po-7781/u', '7781/ü', '7781']],
  [
    'order',
    'buyer_reference',
    'Kostenplaats É',
    ['kostenplaats', 'KOSTENPLAATS É', 'plaats e', 'Kostenpl', 'ts é'],
  ],
];
const REACHED: readonly Question[] = [
  [
    'contactcommunication',
    'value',
    '+31 (0)6 1234 5678',
    ['0612345678', '+31612345678', '06-1234', '0031 6 12345678', '1234 5678'],
  ],
  [
    'contactcommunication',
    'value',
    '030-2512345',
    ['0302512345', '+31302512345', '030 251', '(030) 251 23 45', '2512345'],
  ],
  [
    'contactcommunication',
    'value',
    '0031 20 7654321',
    ['0207654321', '+31 20 7654', '020-765', '0031(0)20', '7654321'],
  ],
  [
    'contactcommunication',
    'value',
    'Jan@Voorbeeld.NL',
    ['jan@voorbeeld.nl', 'JAN@', '@voorbeeld', 'n@v', 'Voorbeeld.nl'],
  ],
  [
    'contactcommunication',
    'value',
    'Zoe.Smit@Garage.example',
    ['zoe.smit@', 'ZOË.SMIT@', 'smit@garage', 'zoë.', '@GARAGE'],
  ],
];
/** No search looks into these fields. */
const NOT_SEARCHED = ['iban', 'vat_number', 'kvk_number', 'engine_number'];
const QUESTIONS = [...NAMES, ...CODES, ...TEXTS, ...REACHED];

describe('forty questions in five spellings', () => {
  let client: Client;
  const ids = new Map<Question, number>();
  before(async () => {
    client = await newClient();
    for (const question of QUESTIONS) {
      const [resource, field, stored] = question;
      const { id } = await add(resource, field, stored);
      ids.set(question, id);
    }
  });

  async function add(resource: string, field: string, stored: string): Promise<{ id: number }> {
    if (resource !== 'contactcommunication') return build(client, resource, { [field]: stored });
    const contact_id = (await build(client, 'contact')).id;
    const communication_type = stored.includes('@') ? EMAIL : PHONE;
    const answer = await client.post(`/${resource}`, { contact_id, communication_type, value: stored });
    expect(answer.status, `${stored} ${answer.text}`).to.equal(201);
    return answer.data;
  }

  it('are forty, each in five', () => {
    expect(QUESTIONS).to.have.length(40);
    for (const [, , , spellings] of QUESTIONS) expect(new Set(spellings).size).to.equal(5);
  });

  for (const question of QUESTIONS)
    it(`finds ${question[2]}`, async () => {
      const [resource, field, , spellings] = question;
      for (const spelling of spellings) {
        const filter = encodeURIComponent(`${field}[has]:"${spelling}"`);
        const { data, text } = await client.get(`/${resource}?filter=${filter}`);
        const found = data?.map(({ id }: { id: number }) => id);
        expect(found, `${spelling} ${text}`).to.include(ids.get(question));
      }
    });

  const SEARCHED = QUESTIONS.filter(([, field]) => !NOT_SEARCHED.includes(field));
  for (const question of SEARCHED)
    it(`searches ${question[2]}`, async () => {
      const [resource, , , spellings] = question;
      const isReached = resource === 'contactcommunication';
      const record = isReached
        ? (await client.get(`/${resource}/${ids.get(question)}`)).data.contact_id
        : ids.get(question);
      for (const spelling of spellings.filter((one) => !one.split(' ').some(({ length }) => length < 2))) {
        const path = `/${isReached ? 'contact' : resource}?search=${encodeURIComponent(spelling)}`;
        if (isReached && spelling.includes(' ')) continue;
        const { data, text } = await client.get(path);
        expect(
          data?.map(({ id }: { id: number }) => id),
          `${spelling} ${text}`,
        ).to.include(record);
      }
    });
});
