// The rules of the workshop that two requests at two nodes could break together: nobody is booked twice, and nobody has
// too many hours.
import type { Json } from '../../test/support/client/client.ts';
import { post, put, type Rule } from './pair.ts';
import type { Scene } from './scene.ts';

export const MORNING = { starts_at: '2026-05-04T08:00:00Z', ends_at: '2026-05-04T09:00:00Z' };
export const LATER = { starts_at: '2026-05-04T10:00:00Z', ends_at: '2026-05-04T11:00:00Z' };

export const addEmployee = (scene: Scene) =>
  scene.add('employee', { first_name: 'Jan', last_name: 'de Boer', role_kind: 2 });
export const addWorkplace = (scene: Scene) =>
  scene.add('workplace', { code: crypto.randomUUID().slice(0, 10), name: 'Brug', workplace_kind: 1 });

const areBoth = async (scene: Scene, filter: string) =>
  (await scene.list('appointment', `${filter},starts_at:${MORNING.starts_at}`)).length !== 1;

const MOST_HOURS = 200;
const hours = { weekday: 1, start_time: '08:00', end_time: '12:00' };

const hoursOf = (scene: Scene, id: number) => scene.list('workhour', `employee_id:${id}`);
const employees = new WeakMap<Scene, number>();

/** An employee with one hour less than `most`: the same one for all pairs of a scene. */
async function oneBelow(scene: Scene, most: number): Promise<number> {
  const employee_id = employees.get(scene) ?? (await addEmployee(scene));
  employees.set(scene, employee_id);
  const rows = await hoursOf(scene, employee_id);
  for (const { id } of rows.slice(most - 1)) await scene.ask(0, 'DELETE', `/workhour/${id}`);
  for (let count = rows.length; count < most - 1; count += 1)
    await scene.add('workhour', { ...hours, employee_id });
  return employee_id;
}

export const PLANNING_RULES: readonly Rule[] = [
  {
    name: 'an employee has 200 hours',
    prepare: async (scene) => {
      const employee_id = await oneBelow(scene, MOST_HOURS);
      const request = post('workhour', { ...hours, employee_id });
      return {
        requests: [request, request],
        isBroken: async () => (await hoursOf(scene, employee_id)).length !== MOST_HOURS,
      };
    },
  },
  {
    name: 'an employee is booked once, by POST',
    prepare: async (scene) => {
      const employee_id = await addEmployee(scene);
      const request = post('appointment', { ...MORNING, employee_id });
      return { requests: [request, request], isBroken: () => areBoth(scene, `employee_id:${employee_id}`) };
    },
  },
  {
    name: 'a workplace is booked once, by PUT',
    prepare: async (scene) => {
      const workplace_id = await addWorkplace(scene);
      const book = async (body: Json) =>
        scene.add('appointment', { ...body, employee_id: await addEmployee(scene) });
      const [one, other] = [await book(MORNING), await book(LATER)];
      const move = (id: number) => put('appointment', id, { ...MORNING, workplace_id });
      return {
        requests: [move(one), move(other)],
        isBroken: () => areBoth(scene, `workplace_id:${workplace_id}`),
      };
    },
  },
  {
    name: 'an employee is booked once, by a cancelled appointment that comes back',
    prepare: async (scene) => {
      const employee_id = await addEmployee(scene);
      const id = await scene.add('appointment', { ...MORNING, employee_id, appointment_status: 5 });
      return {
        requests: [
          put('appointment', id, { appointment_status: 1 }),
          post('appointment', { ...MORNING, employee_id }),
        ],
        isBroken: () => areBoth(scene, `employee_id:${employee_id},appointment_status:1`),
      };
    },
  },
];
