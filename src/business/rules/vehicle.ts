// A published vehicle can't be deleted.
import { violation } from '../../core/errors.ts';
import { rulesOf } from '../../core/model/records/record.ts';
import { Vehicle } from '../../core/resources/vehicle.ts';
import { LISTS } from '../../core/trade/lists.ts';

rulesOf(Vehicle, {
  keeps: ({ id, publish_status }) =>
    publish_status === LISTS.publishstatuses.PUBLISHED ? violation('vehicle_published', { id }) : undefined,
  refuses: { delete: [violation('vehicle_published', { id: 5 })] },
});
