// PUT /tyreset/swap: the mounted set of a vehicle goes into the storage, and a stored one leaves it.

import { swapSets, WRONG_SETS } from '../../business/workshop/tyre-swap.ts';
import { violation } from '../../core/errors.ts';
import { form } from '../../core/model/bodies/form.ts';
import { reference, varchar } from '../../core/model/fields/field.ts';
import { serializer } from '../../core/model/records/serialize.ts';
import { garageOf } from '../../core/model/statements/garage.ts';
import { TyreSet } from '../../core/resources/tyre-set.ts';
import { type Answer, successJson } from '../answer.ts';
import { type Call, type Endpoint, put } from '../endpoint.ts';
import { changeStates } from '../openapi/record-errors.ts';
import { object, ref } from '../openapi/schema.ts';

const SET = TyreSet.resource;
const SWAP = form('swap', {
  vehicle_id: reference('vehicle', { required: true }),
  out_tyreset_id: reference('tyreset', {
    required: true,
    description: 'The mounted set: it is stored from now on',
  }),
  in_tyreset_id: reference('tyreset', {
    required: true,
    description: 'The stored set: it is mounted from now on',
  }),
  location: varchar(SET.fields.get('location')?.length ?? 0, {
    description: 'The new place of the set that comes off. If absent: the place of the other set',
  }),
});

export const tyreSetEndpoints: Endpoint[] = [
  put('/tyreset/swap', {
    needs: 'USER',
    impliedBy: '/tyreset',
    form: SWAP,
    handle: swap,
    doc: {
      operationId: 'swapTyres',
      summary: 'Swap the tyres of a vehicle',
      description:
        'In one transaction the stored set is mounted, and the mounted set takes its place in the storage, or the place in ' +
        '`location`. Answers both sets. The permission of PUT /tyreset is enough.',
      data: object({ out_tyreset: ref('tyreset'), in_tyreset: ref('tyreset') }),
      errors: [
        ...changeStates,
        WRONG_SETS.out(5),
        WRONG_SETS.in(6),
        violation('value_duplicate_on_put', { field: 'location', value: 'A-12' }),
      ],
    },
  }),
];

async function swap({ services, actor, identity, body }: Call): Promise<Answer> {
  const asked = SWAP.read(body);
  const { off, on } = await services.database.transaction(
    (session) => swapSets(garageOf(session, identity.owner), asked),
    actor,
  );
  const json = serializer(SET);
  return successJson(`{"out_tyreset":${json(off)},"in_tyreset":${json(on)}}`, 200);
}
