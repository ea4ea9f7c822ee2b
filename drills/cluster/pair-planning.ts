// The rules of the workshop that two requests at two nodes could break together: nobody is booked twice.
import type { Json } from '../../test/support/client.ts';
import { post, put, type Rule } from './pair.ts';
import type { Scene } from './scene.ts';

const time = { starts_at: '2026-05-04T08:00:00Z', ends_at: '2026-05-04T09:00:00Z' };
const later = { starts_at: '2026-05-04T10:00:00Z', ends_at: '2026-05-04T11:00:00Z' };

const addEmployee = (scene: Scene) =>
  scene.add('employee', { first_name: 'Jan', last_name: 'de Boer', role_kind: 2 });
const addWorkplace = (scene: Scene) =>
  scene.add('workplace', { code: crypto.randomUUID().slice(0, 10), name: 'Brug', workplace_kind: 1 });

const areBoth = async (scene: Scene, filter: string) =>
  (await scene.list('appointment', `${filter},starts_at:${time.starts_at}`)).length !== 1;

export const PLANNING_RULES: readonly Rule[] = [
  {
    name: 'an employee is booked once, by POST',
    prepare: async (scene) => {
      const employee_id = await addEmployee(scene);
      const request = post('appointment', { ...time, employee_id });
      return { requests: [request, request], isBroken: () => areBoth(scene, `employee_id:${employee_id}`) };
    },
  },
  {
    name: 'a workplace is booked once, by PUT',
    prepare: async (scene) => {
      const workplace_id = await addWorkplace(scene);
      const book = async (body: Json) =>
        scene.add('appointment', { ...body, employee_id: await addEmployee(scene) });
      const [one, other] = [await book(time), await book(later)];
      const move = (id: number) => put('appointment', id, { ...time, workplace_id });
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
      const id = await scene.add('appointment', { ...time, employee_id, appointment_status: 5 });
      return {
        requests: [
          put('appointment', id, { appointment_status: 1 }),
          post('appointment', { ...time, employee_id }),
        ],
        isBroken: () => areBoth(scene, `employee_id:${employee_id},appointment_status:1`),
      };
    },
  },
];
