// Exchanges of appointments beside other requests at another node: an exchange is done wholly or not at all, and nobody
// is booked twice.
import { LISTS } from '../../src/core/trade/lists.ts';
import type { Json } from '../../test/support/client/client.ts';
import { put, type Rule, type Sent } from './pair.ts';
import { addEmployee, addWorkplace, LATER, MORNING } from './pair-planning.ts';
import { addBuyer, addOrder } from './record.ts';
import type { Scene } from './scene.ts';

const { CANCELLED } = LISTS.orderstatuses;
const CANCELLED_APPOINTMENT = LISTS.appointmentstatuses.CANCELLED;

interface Booked {
  readonly id: number;
  readonly employee_id: number;
  readonly workplace_id: number;
}

async function book(scene: Scene, time: object, more: object = {}): Promise<Booked> {
  const shop = { employee_id: await addEmployee(scene), workplace_id: await addWorkplace(scene) };
  return { ...shop, id: await scene.add('appointment', { ...shop, ...time, ...more }) };
}

const swap = (first: Booked, second: Booked, ...fields: string[]): Sent => ({
  method: 'PUT',
  path: '/appointment/swap',
  body: { first_id: first.id, second_id: second.id, fields },
});

/** The appointments as they are now, in the order of `all`. */
async function now(scene: Scene, all: readonly Booked[]): Promise<Json[]> {
  const rows = await scene.list('appointment', `id[in]:${all.map(({ id }) => id).join('|')}`);
  return all.flatMap(({ id }) => rows.filter((row) => row.id === id));
}

const isWith = ({ employee_id, workplace_id }: Json, whose: Booked): boolean =>
  employee_id === whose.employee_id && workplace_id === whose.workplace_id;

export const SWAP_RULES: readonly Rule[] = [
  {
    name: 'an exchange is whole, beside another exchange',
    prepare: async (scene) => {
      const all = [
        await book(scene, MORNING),
        await book(scene, MORNING),
        await book(scene, MORNING),
      ] as const;
      const [one, two, three] = all;
      return {
        requests: [
          swap(one, two, 'employee_id', 'workplace_id'),
          swap(three, one, 'employee_id', 'workplace_id'),
        ],
        // Both are done, one after the other: then no appointment is with the employee that it had.
        isBroken: async (answers) => {
          const after = await now(scene, all);
          const isMixed = after.some((row) => !all.some((whose) => isWith(row, whose)));
          const isDone = after.every((row, index) => !isWith(row, all[index] as Booked));
          return isMixed || !isDone || answers.some(({ status }) => status !== 200);
        },
      };
    },
  },
  {
    name: 'an employee is booked once, by an exchange and a move',
    prepare: async (scene) => {
      const [one, two] = [await book(scene, MORNING), await book(scene, MORNING)];
      const three = await book(scene, LATER);
      const { employee_id } = one;
      return {
        // Both give the later time of this employee to an appointment.
        requests: [swap(one, three, 'times'), put('appointment', two.id, { ...LATER, employee_id })],
        isBroken: async (answers) => {
          const later = await scene.list(
            'appointment',
            `employee_id:${employee_id},starts_at:${LATER.starts_at}`,
          );
          const statuses = answers.map(({ status }) => status).sort();
          const [first, , third] = await now(scene, [one, two, three]);
          return later.length !== 1 || statuses.join() !== '200,409' || first?.starts_at === third?.starts_at;
        },
      };
    },
  },
  {
    name: 'an exchange is whole, beside a cancelled order',
    prepare: async (scene) => {
      const order_id = await addOrder(scene, await addBuyer(scene));
      const all = [await book(scene, MORNING, { order_id }), await book(scene, MORNING)] as const;
      const [one, two] = all;
      return {
        requests: [
          swap(one, two, 'employee_id', 'workplace_id'),
          put('order', order_id, { order_status: CANCELLED }),
        ],
        isBroken: async (answers) => {
          const [first, second] = await now(scene, all);
          const isWhole = first && second && isWith(first, two) && isWith(second, one);
          const isCancelled = first?.appointment_status === CANCELLED_APPOINTMENT;
          return !isWhole || !isCancelled || answers.some(({ status }) => status !== 200);
        },
      };
    },
  },
];
