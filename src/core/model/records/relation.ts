// The relations of a resource, from its references and from references to it. Objection's mappings and the names that
// `expand` takes follow from them.
import { Model, type RelationMappings } from 'objection';
import type { Resource } from './record.ts';
import { isOwnName, linksTo, resourceNamed } from './registry.ts';

/** A record that this one refers to, or the records that refer to it. */
export interface Relation {
  /** A reference goes by its field without `_id`, children by their resource. */
  readonly name: string;
  readonly kind: 'reference' | 'children';
  /** reference: this resource's field; children: the field of the other one. */
  readonly field: string;
  readonly other: Resource;
}

export function relationsOf(resource: Resource): Map<string, Relation> {
  const relations = new Map<string, Relation>();
  for (const { from, field } of linksTo(resource)) {
    if (isOwnName(resource, field))
      relations.set(from.name, { name: from.name, kind: 'children', field, other: from });
  }
  for (const [field, { reference }] of resource.fields) {
    if (reference === undefined) continue;
    const name = field.replace(/_id$/, '');
    relations.set(name, { name, kind: 'reference', field, other: resourceNamed(reference) });
  }
  return relations;
}

/** Joined by `id` alone, which is unique over all owners. With two columns MySQL would read every row of the owner. */
export function relationMappings(resource: Resource): RelationMappings {
  const mappings: RelationMappings = {};
  for (const { name, kind, field, other } of relationsOf(resource).values()) {
    const isReference = kind === 'reference';
    mappings[name] = {
      relation: isReference ? Model.BelongsToOneRelation : Model.HasManyRelation,
      modelClass: other.model,
      join: {
        from: `${resource.table}.${isReference ? field : 'id'}`,
        to: `${other.table}.${isReference ? 'id' : field}`,
      },
      // The related rows have the owner of the query's garage.
      modify: (query) => {
        const { owner } = query.context();
        if (owner === undefined) throw new Error(`The relation ${name} needs the query of a garage`);
        query.modify('owned', owner);
      },
    };
  }
  return mappings;
}
