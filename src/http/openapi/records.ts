// Describes the five operations of any resource.
import { violation } from '../../core/errors.ts';
import { OPERATORS } from '../../core/model/lists/filter-term.ts';
import { sourcesOf } from '../../core/model/lists/word-search.ts';
import { keyOf, type Resource, VERSION } from '../../core/model/records/record.ts';
import { relationsOf } from '../../core/model/records/relation.ts';
import { textColumns } from '../../core/model/records/search-text.ts';
import { childrenOf } from '../../core/model/writes/children.ts';
import { takesUpsert } from '../../core/model/writes/upsert.ts';
import {
  integer,
  type OperationDoc,
  PAGING,
  type ParameterDoc,
  pageOf,
  RECORD_ID,
  TOO_SLOW,
} from './operation.ts';
import { errorsOfAdding, errorsOfChanging, errorsOfDeleting, errorsOfUpserting } from './record-errors.ts';
import { object, ref, schemaName, showsOnce, withArticle } from './schema.ts';

// A text and no array with an enumeration: generated clients send an array as `fields=a&fields=b`, which is refused.
const listed = (names: readonly string[]) => names.map((name) => `\`${name}\``).join(', ');

function shownFields(resource: Resource): ParameterDoc {
  return {
    description: `The fields that a record shows, joined by commas; \`${keyOf(resource)}\` always. Out of ${listed(resource.columns)}${versioned(resource)}`,
  };
}

const versioned = ({ unshown }: Resource) =>
  unshown.includes(VERSION)
    ? `, and \`${VERSION}\`, the number in the \`ETag\` of a record: \`If-Match: "<${VERSION}>"\``
    : '';

/** Filters over references, by an example. */
function referencesIn(resource: Resource): string {
  const [name] = [...relationsOf(resource)].find(([, { kind }]) => kind === 'reference') ?? [];
  return name === undefined
    ? ''
    : ` or, of a record that it refers to and the key may GET, \`${name}.id[gt]:5\``;
}

function expansion(resource: Resource): ParameterDoc {
  const names = [...relationsOf(resource).keys()];
  return {
    description:
      'Relations shown beside a record, joined by commas, at most 3, and at most 20,000 records in all: a reference as an object or null, children as ' +
      `an array; what the key may not read by itself is refused. ${names.length > 0 ? `Out of ${listed(names)}` : 'There is none here'}`,
  };
}

const searched = (resource: Resource): ParameterDoc => ({
  description:
    `1 to 5 words of 2 to 100 characters. Each word is found, as \`has\` finds it, in one of ${listed(textColumns(resource))}` +
    sourcesOf(resource)
      .flatMap(({ relation }) =>
        relation ? [`, or in the texts of its \`${relation.name}\` where the key may GET them`] : [],
      )
      .join(''),
});

export function listDoc(resource: Resource): OperationDoc {
  return {
    tag: resource.name,
    operationId: `list_${resource.name}`,
    summary: `List ${resource.name} records`,
    description: `One page of records. \`next\` is the cursor of the next page, null on the last one. \`/${resource.name}?id=5\` is \`/${resource.name}/5\`.`,
    parameters: {
      ...PAGING,
      cursor: {
        description: '`next` of the page before; costs the same at any depth. Not together with `page`',
      },
      fields: shownFields(resource),
      filter: {
        description:
          `Conditions \`<field>[<operator>]:<value>\`, joined by commas; all must hold. Operators: ${OPERATORS.join(', ')}. ` +
          'Without one `eq` is meant. `in` and `ni` take values separated by `|`, `null` takes 1 or 0, and `like` takes `*` for any ' +
          'run of characters, at most 5 `*` within 200 characters. Values of `eq`, `ne`, `in` and `ni` are normalised as a write of ' +
          'that field is. `has`: the text contains 2 to 100 characters, where case and accents do not count, and in codes no spaces ' +
          'and punctuation. With the other operators texts compare exactly; spaces at the end do not count, except with `like`. ' +
          'At least one of several conditions: `any(<condition>,<condition>)`, 2 to 10 of them. ' +
          'A value with a comma or a quote stands in double quotes, a quote inside doubled; within `any` a value with a bracket too. ' +
          `For example \`created_at[ge]:2026-01-01,any(external_id[like]:shop-*,external_id[null]:1)\`${referencesIn(resource)}`,
      },
      sort: {
        description: 'Fields to sort by, joined by commas; `-` before one is descending. For example `-id`',
      },
      count: {
        description: '1: `total` tells how many records there are in all',
        schema: { type: 'integer', enum: [0, 1] },
      },
      expand: expansion(resource),
      ...(resource.traits.search ? { search: searched(resource) } : {}),
    },
    answer: pageOf(ref(schemaName(resource, 'select'))),
    good: 'One page of records',
    errors: [
      violation('parameter_invalid', { field: 'page', reason: 'value must be greater than 0' }),
      violation('field_unknown', { field: 'colour' }),
      violation('value_wrong_type', { field: 'id', value: 'abc', datatype: 'int4' }),
      ...TOO_SLOW,
    ],
  };
}

export function readDoc(resource: Resource): OperationDoc {
  return {
    tag: resource.name,
    operationId: `read_${resource.name}`,
    summary: `Read one ${resource.name}`,
    description: `\`/${resource.name}?id=5\` is the same request. \`ETag\` is the version of the record, for \`If-Match\` of a change.`,
    parameters: { fields: shownFields(resource), expand: expansion(resource) },
    data: ref(schemaName(resource, 'select')),
    good: 'The record',
    headers: ['ETag'],
    requestHeaders: ['If-None-Match'],
    errors: [
      ...TOO_SLOW,
      violation('primary_id_malformed'),
      violation('primary_id_invalid'),
      violation('field_unknown', { field: 'colour' }),
      violation('record_unknown', { field: 'id', value: 5 }),
    ],
  };
}

export function addDoc(resource: Resource): OperationDoc {
  return {
    tag: resource.name,
    operationId: `add_${resource.name}`,
    summary: `Add ${withArticle(resource.name)}`,
    description: [
      'Answers the whole new record, with the values that the service filled in.',
      ...inOneGo(resource),
    ].join(' '),
    body: ref(schemaName(resource, 'add')),
    status: 201,
    data: ref(
      schemaName(resource, childrenOf(resource).length > 0 || showsOnce(resource) ? 'added' : 'show'),
    ),
    headers: ['ETag', 'Location'],
    errors: errorsOfAdding(resource),
  };
}

function inOneGo(resource: Resource): string[] {
  const children = childrenOf(resource).map(({ name }) => name);
  return children.length > 0
    ? [`The body may hold its ${listed(children)}: the service adds all of them or nothing.`]
    : [];
}

/** PUT with an ID in the path. */
export function changeByIdDoc(resource: Resource): OperationDoc {
  return {
    tag: resource.name,
    operationId: `change_${resource.name}ById`,
    summary: `Change ${withArticle(resource.name)}`,
    description: CHANGES,
    parameters: { id: { ...RECORD_ID, required: false } },
    body: ref(schemaName(resource, 'change')),
    data: ref(schemaName(resource, 'show')),
    good: 'The whole record, as it is now',
    headers: ['ETag'],
    requestHeaders: ['If-Match'],
    errors: errorsOfChanging(resource),
  };
}

const CHANGES = 'Changes the fields that the body names and leaves the others.';

/** PUT with an ID in the query or the body, or with the integrator's own key. */
export function changeDoc(resource: Resource): OperationDoc {
  const change: OperationDoc = { ...changeByIdDoc(resource), operationId: `change_${resource.name}` };
  if (!takesUpsert(resource)) return change;
  const children = childrenOf(resource).map(({ name }) => name);
  const hasChildren = children.length > 0;
  const answer = ref(schemaName(resource, hasChildren ? 'added' : 'show'));
  return {
    ...change,
    summary: `Change ${withArticle(resource.name)}, or add it`,
    description: [
      `${CHANGES} With \`external_id\` in the query, the record with that key is changed; if there is none, it is added (201), and the key needs \`POST /${resource.name}\` too.`,
      ...(hasChildren
        ? [
            `Then the body may hold ${listed(children)}, each with an \`external_id\`: the service adds and changes all of them or nothing, and answers all children of the kinds that the body names.`,
          ]
        : []),
    ].join(' '),
    body: ref(schemaName(resource, hasChildren ? 'upsert' : 'change')),
    data: answer,
    parameters: {
      ...change.parameters,
      external_id: { description: "The integrator's own key of the record, in place of its ID" },
    },
    added: answer,
    errors: [...(change.errors ?? []), ...errorsOfUpserting(resource)],
  };
}

/** `suffix` makes the operation's name unique: the operation has two paths. */
export function deleteDoc(resource: Resource, suffix = ''): OperationDoc {
  return {
    tag: resource.name,
    operationId: `delete_${resource.name}${suffix}`,
    summary: `Delete ${withArticle(resource.name)}`,
    description: 'It cannot be undone. A record that another record refers to is not deleted (406).',
    parameters: { id: { ...RECORD_ID, required: true } },
    data: object({ id: integer }),
    good: 'Deleted',
    requestHeaders: ['If-Match'],
    errors: errorsOfDeleting(resource),
  };
}
