// All resources and their rules, found in their folders: a new file there is served without a line here. A wrong
// declaration stops the start.
import { readdir } from 'node:fs/promises';
import { uniqueWithin } from '../fields/field.ts';
import { aboutOf, unsaidAboutPersons } from './about.ts';
import type { Resource } from './record.ts';

const resources = new Map<string, Resource>();

/** One reference from a resource's field to another resource. */
interface Link {
  readonly from: Resource;
  readonly field: string;
}
const links = new Map<string, Link[]>();

const RESOURCES = new URL('../../resources/', import.meta.url);
const RULES = new URL('../../../business/rules/', import.meta.url);

/** Registers the resources of core/resources/ and attaches the rules of business/rules/. May be called again. */
export async function loadResources(): Promise<void> {
  for (const item of await exportsOf(RESOURCES)) if (isRecordClass(item)) register(item.resource);
  await exportsOf(RULES);
  links.clear();
  for (const resource of allResources()) {
    checkDeclaration(resource);
    for (const [field, { reference }] of resource.fields)
      if (reference !== undefined)
        links.set(reference, [...(links.get(reference) ?? []), { from: resource, field }]);
  }
  const unsaid = unsaidAboutPersons(allResources());
  if (unsaid.length > 0) throw new Error(unsaid.join('\n'));
}

/** Imports all modules of a folder. */
async function exportsOf(folder: URL): Promise<unknown[]> {
  const files = (await readdir(folder))
    .filter((file) => /\.[jt]s$/.test(file) && !file.endsWith('.d.ts'))
    .sort();
  const modules: object[] = [];
  for (const file of files) modules.push(await import(new URL(file, folder).href));
  return modules.flatMap((module): unknown[] => Object.values(module));
}

const isRecordClass = (item: unknown): item is { readonly resource: Resource } =>
  typeof item === 'function' && Object.hasOwn(Object.getPrototypeOf(item) ?? {}, 'resource');

function register(resource: Resource): void {
  const { name } = resource;
  if ((resources.get(name) ?? resource) !== resource) throw new Error(`Resource ${name} is declared twice`);
  resources.set(name, resource);
}

export function resourceNamed(name: string): Resource {
  const resource = resources.get(name);
  if (!resource) throw new Error(`No resource is named ${name}`);
  return resource;
}

export const findResource = (name: string): Resource | undefined => resources.get(name);

/** All resources, alphabetically. */
export const allResources = (): Resource[] =>
  [...resources.values()].sort((a, b) => (a.name < b.name ? -1 : 1));

/** All resources, each behind the resources that it refers to. If two refer to each other, either comes first. */
export function inOrderOfReference(): Resource[] {
  const visited = new Set<Resource>();
  const ordered: Resource[] = [];
  const visit = (resource: Resource) => {
    if (visited.has(resource)) return;
    visited.add(resource);
    for (const { reference, copyOf } of resource.fields.values()) {
      for (const name of [reference, copyOf]) if (name !== undefined) visit(resourceNamed(name));
    }
    ordered.push(resource);
  };
  allResources().forEach(visit);
  return ordered;
}

/** All references to a resource, in alphabetical order of the referring resources. */
export const linksTo = (resource: Resource): readonly Link[] => links.get(resource.name) ?? [];

/** Whether a reference makes its record a child: the field has the name of the resource, not of a role. */
export const isOwnName = ({ name }: Resource, field: string): boolean =>
  field.replaceAll('_', '') === `${name}id`;

function checkDeclaration({ name, fields, traits }: Resource): void {
  const demand = (holds: boolean, what: string) => {
    if (!holds) throw new Error(`Resource ${name}: ${what}`);
  };
  const about = aboutOf({ traits });
  const isOverwritten = about !== undefined && about.anonymised !== 'deleted';
  for (const [field, declared] of fields) {
    const { reference, copyOf, after, validation } = declared;
    if (copyOf !== undefined)
      demand(resources.has(copyOf), `${field} is a copy of ${copyOf}, which does not exist`);
    if (reference !== undefined) {
      demand(resources.has(reference), `${field} refers to ${reference}, which does not exist`);
      demand(field.endsWith('_id'), `${field} is a reference, so its name must end in _id`);
    }
    if (after !== undefined) {
      const { datatype } = fields.get(after) ?? {};
      demand(datatype === 'timestamp', `${field} is after ${after}, which is no timestamp`);
    }
    const within = uniqueWithin(declared);
    if (within !== undefined)
      demand(fields.has(within), `${field} is unique within ${within}, which does not exist`);
    const { dependsOn } = validation ?? {};
    if (dependsOn !== undefined)
      demand(fields.has(dependsOn), `${field} depends on ${dependsOn}, which does not exist`);
    const { personal, required, readonly, anonymous } = declared;
    const isLeftEmpty = isOverwritten && personal && required && !readonly && anonymous === undefined;
    demand(!isLeftEmpty, `${field} is personal and required, so it needs a value for anonymised records`);
  }
  for (const field of [...(traits.folded?.named ?? []), ...(traits.folded?.own ?? [])])
    demand(fields.has(field), `its folded texts have ${field}, which does not exist`);
  for (const field of traits.indexes?.flat() ?? [])
    demand(fields.has(field), `an index is on ${field}, which does not exist`);
  if (traits.parent)
    demand(fields.get(traits.parent)?.reference !== undefined, `its parent ${traits.parent} is no reference`);
}
