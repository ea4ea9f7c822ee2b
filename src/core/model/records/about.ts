// Says whose personal data a resource holds (the trait `about`), and finds gaps in the declarations. A record leads
// to a person by a reference to a contact, or to a record that is about somebody: an order, a vehicle, a set of tyres.
import type { Language } from '../../trade/language.ts';
import type { Field } from '../fields/field.ts';
import type { Resource } from './record.ts';

const CONTACT = 'contact';
const ORDER = 'order';

/**
 * How a record leads to the person whom it is about, and what anonymising the person does to it. The report of a person
 * and anonymising follow this alone.
 */
export interface About {
  /** The column with the ID of the contact; `id`: the record is the contact. May be a hidden column. */
  readonly contact?: string;
  /** References to records that are about somebody: the record is about the same person. */
  readonly through?: readonly string[];
  /** A record that names a contact is about this contact alone: `through` counts where `contact` is empty. */
  readonly contactDecides?: true;
  /** A vehicle: whom it belongs to follows from roles and orders, by business/privacy/vehicle-holder.ts. */
  readonly byRole?: true;
  /** `kept`: the record is a part of an invoice, which the law keeps. */
  readonly anonymised: 'emptied' | 'deleted' | 'kept';
  /** The contact who gets the invoice. This contact sees what the invoice prints. */
  readonly payer?: string;
  /** The record is shown with records of `through` even if the person sees only the printed part of them. */
  readonly isPrinted?: true;
  /** The title of these records in the report of a person. */
  readonly title: Readonly<Record<Language, string>>;
}

/** Undefined: the records are about nobody. */
export const aboutOf = ({ traits }: Pick<Resource, 'traits'>): About | undefined =>
  traits.about === 'nobody' ? undefined : traits.about;

export const hasPersonalFields = ({ fields }: Resource): boolean =>
  [...fields.values()].some(({ personal }) => personal);

/** The fields that lead to the person; a hidden column is no field. */
const namedBy = (about: About): string[] => [
  ...(about.contact === undefined ? [] : [about.contact]),
  ...(about.through ?? []),
];

/** One sentence for each thing that the resources don't say about personal data. */
export function unsaidAboutPersons(resources: readonly Resource[]): string[] {
  const named = new Map(resources.map((resource) => [resource.name, resource]));
  return resources.flatMap((resource) => {
    const leads = leadsOf(resource, named);
    if (leads.length > 0 && resource.traits.about === undefined)
      return [unsaid(resource, leads), ...unjudgedTexts(resource)];
    const about = aboutOf(resource);
    if (!about) return [];
    return [
      ...wrongWays(resource, about, leads),
      ...unjudgedTexts(resource),
      ...keptFromDeleting(resource, about, resources),
    ];
  });
}

const unsaid = ({ name }: Resource, leads: readonly string[]): string =>
  `Resource ${name} leads to a person by ${leads.join(' and ')}: give it the trait "about", or about: 'nobody' if its ` +
  'records say nothing about that person';

/** The references that lead to a person. */
const leadsOf = ({ fields }: Resource, named: ReadonlyMap<string, Resource>): string[] =>
  [...fields].filter(([, field]) => leadsToPerson(field.reference, named)).map(([name]) => name);

/** A resource that does not yet say whom it is about counts, too: so all resources of a chain are named at once. */
function leadsToPerson(
  target: string | undefined,
  named: ReadonlyMap<string, Resource>,
  seen: ReadonlySet<string> = new Set(),
): boolean {
  if (target === CONTACT) return true;
  const resource = target === undefined || seen.has(target) ? undefined : named.get(target);
  if (!resource) return false;
  if (resource.traits.about !== undefined) return aboutOf(resource) !== undefined;
  const next = new Set([...seen, resource.name]);
  return [...resource.fields.values()].some(({ reference }) => leadsToPerson(reference, named, next));
}

function wrongWays({ name, fields }: Resource, about: About, leads: readonly string[]): string[] {
  const { through = [], payer } = about;
  const ways = namedBy(about);
  const strangers = [...through, ...(payer === undefined ? [] : [payer])]
    .filter((field) => !leads.includes(field))
    .map((field) => `Resource ${name}: "about" names ${field}, which leads to no person`);
  if (ways.length === 0 && !about.byRole)
    return [`Resource ${name}: "about" must name the way to the person, by "contact" or "through"`];
  if (about.anonymised === 'kept' && !through.some((field) => fields.get(field)?.reference === ORDER))
    return [
      `Resource ${name}: "kept" is for parts of an invoice: name its order in "through", or choose another word`,
    ];
  const isCertain = about.byRole || ways.some((way) => way === 'id' || fields.get(way)?.required);
  const open = isCertain ? [] : leads.filter((field) => !ways.includes(field));
  return [
    ...strangers,
    ...open.map(
      (field) =>
        `Resource ${name}: ${field} leads to a person where ${ways.join(' and ')} is empty: name it in "through"`,
    ),
  ];
}

/** The texts of callers that are neither `personal: true` nor `personal: false`. */
function unjudgedTexts({ name, fields, traits, methods }: Resource): string[] {
  const isWritten = methods.includes('POST') || methods.includes('PUT');
  const own = [...fields].filter(([field, one]) => field !== 'external_id' && isFree(one));
  return [
    ...own
      .filter(([, { personal }]) => personal === undefined)
      .map(
        ([field]) =>
          `Resource ${name}: ${field} is free text of a record about a person: say personal: true, or personal: false if it never tells ` +
          'anything about the person',
      ),
    ...(isWritten && traits.personalKey === undefined
      ? [
          `Resource ${name}: external_id may be an e-mail address or a license plate: say personalKey: true, or personalKey: ` +
            'false if it never is',
        ]
      : []),
  ];
}

/** Callers may write anything into the field: it has neither a list nor words to choose from. */
const isFree = ({ datatype, readonly, history, schema, list, elements }: Field): boolean =>
  ['varchar', 'text', 'bytea', 'varchar[]'].includes(datatype) &&
  (!readonly || history === true) &&
  schema.enum === undefined &&
  list === undefined &&
  elements === undefined;

/** The database refuses to delete a record that others refer to. */
function keptFromDeleting(
  { name }: Resource,
  { anonymised }: About,
  resources: readonly Resource[],
): string[] {
  if (anonymised !== 'deleted') return [];
  return resources.flatMap((other) => {
    const about = aboutOf(other);
    const goesToo = (field: string) => about?.anonymised === 'deleted' && about.through?.includes(field);
    return [...other.fields]
      .filter(([field, { reference }]) => reference === name && !goesToo(field))
      .map(
        ([field]) =>
          `Resource ${other.name}: ${field} keeps a ${name} that anonymising deletes: delete ${other.name} through ${field}, too, or ` +
          `empty ${name}`,
      );
  });
}
