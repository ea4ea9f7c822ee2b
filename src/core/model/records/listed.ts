// Lists without records: jobs, deliveries, the audit. A list is filtered, sorted and paged like the list of a
// resource. Nobody adds or changes its rows by a request, so it is not in the registry.
import type { Modifiers } from 'objection';
import type { Fields } from '../fields/field.ts';
import type { OwnedClass } from '../statements/base-model.ts';
import type { RecordClass, Resource } from './record.ts';
import type { Traits } from './traits.ts';

interface Options extends Pick<Traits, 'indexes'> {
  readonly description: string;
  /** The column that tells rows apart; `id` if it is missing. */
  readonly key?: string;
  /** Lists whose request asks for no order have the highest value of this column first; the key if it is missing. */
  readonly newest?: string;
  /** In place of the model's own. */
  readonly modifiers?: Modifiers;
}

/** The list of a model's rows. `fields`: the fields that the list shows. */
export function listed(
  name: string,
  model: OwnedClass,
  fields: Fields,
  { key = 'id', newest = key, modifiers, ...traits }: Options,
): Resource {
  const resource: Resource = {
    name,
    model: class extends model {
      static get resource(): Resource {
        return resource;
      }

      static override get modifiers(): Modifiers {
        return modifiers ?? model.modifiers;
      }
    } as RecordClass,
    table: model.tableName,
    fields: new Map(Object.entries(fields)),
    columns: Object.keys(fields),
    unshown: [],
    traits,
    hooks: {},
    ownership: 'column',
    methods: ['GET'],
    key,
    sort: `-${newest}`,
  };
  return resource;
}
