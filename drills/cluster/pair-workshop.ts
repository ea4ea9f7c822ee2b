// The rules of the workshop that two requests at two nodes could break together.
import { LISTS } from '../../src/core/trade/lists.ts';
import { post, put, type Rule } from './pair.ts';
import { addBuyer, addOrder, addVehicle } from './record.ts';
import type { Scene } from './scene.ts';

const { STORED, MOUNTED } = LISTS.tyresetstatuses;
const { INVOICE } = LISTS.orderstatuses;
const { USER } = LISTS.rolekinds;

const addEmployee = (scene: Scene) =>
  scene.add('employee', { first_name: 'Anna', last_name: 'Bos', role_kind: USER });
const running = (scene: Scene, filter: string) => scene.list('timeentry', `${filter},ended_at[null]:1`);
const START = '2026-05-01T08:00:00Z';

const TIME: Rule[] = [
  {
    name: 'an employee has one running time entry, by POST',
    prepare: async (scene) => {
      const employee_id = await addEmployee(scene);
      const entry = post('timeentry', { employee_id, started_at: START });
      return {
        requests: [entry, entry],
        isBroken: async () => (await running(scene, `employee_id:${employee_id}`)).length !== 1,
      };
    },
  },
  {
    name: 'an employee has one running time entry, by start',
    prepare: async (scene) => {
      const employee_id = await addEmployee(scene);
      await scene.add('timeentry', { employee_id, started_at: START });
      const start = post('timeentry/start', { employee_id });
      return {
        requests: [start, start],
        isBroken: async () => (await running(scene, `employee_id:${employee_id}`)).length !== 1,
      };
    },
  },
  {
    name: 'no time runs on an invoice',
    prepare: async (scene) => {
      const order_id = await addOrder(scene, await addBuyer(scene));
      const start = post('timeentry/start', { employee_id: await addEmployee(scene), order_id });
      return {
        requests: [put('order', order_id, { order_status: INVOICE }), start],
        isBroken: async () => (await running(scene, `order_id:${order_id}`)).length > 0,
      };
    },
  },
];

const addSet = async (scene: Scene, body: object) =>
  scene.add('tyreset', {
    contact_id: await addBuyer(scene),
    season: LISTS.tyreseasons.WINTER,
    ...body,
  });
const shelf = () => crypto.randomUUID().slice(0, 20);
const storedAt = (scene: Scene, location: string) =>
  scene.list('tyreset', `location:${location},tyreset_status:${STORED}`);

const TYRES: Rule[] = [
  {
    name: 'a location holds one stored set',
    prepare: async (scene) => {
      const location = shelf();
      const sets = [await addSet(scene, { location }), await addSet(scene, { location })];
      const store = (id = 0) => put('tyreset', id, { tyreset_status: STORED });
      return {
        requests: [store(sets[0]), store(sets[1])],
        isBroken: async () => (await storedAt(scene, location)).length !== 1,
      };
    },
  },
  {
    name: 'a stored set is swapped once',
    prepare: async (scene) => {
      const vehicle_id = await addVehicle(scene);
      const location = shelf();
      const into = await addSet(scene, { vehicle_id, location, tyreset_status: STORED });
      const mounted = [await addSet(scene, { vehicle_id }), await addSet(scene, { vehicle_id })];
      const swap = (out_tyreset_id = 0) => ({
        method: 'PUT',
        path: '/tyreset/swap',
        body: { vehicle_id, out_tyreset_id, in_tyreset_id: into },
      });
      return {
        requests: [swap(mounted[0]), swap(mounted[1])],
        isBroken: async () =>
          (await scene.list('tyreset', `vehicle_id:${vehicle_id},tyreset_status:${MOUNTED}`)).length !== 2 ||
          (await storedAt(scene, location)).length !== 1,
      };
    },
  },
];

const LEASE: Rule[] = [
  {
    name: 'an invoice has the approval of the lease company',
    prepare: async (scene) => {
      const payer = await addBuyer(scene);
      await scene.change('contact', payer, { is_lease_company: 1 });
      const order = await addOrder(scene, payer);
      const draft = post('leaseapproval', { order_id: order, contact_id: payer });
      return {
        requests: [put('order', order, { order_status: INVOICE }), draft],
        isBroken: async () => {
          const [found] = await scene.list('order', `id:${order}`);
          const approvals = await scene.list('leaseapproval', `order_id:${order}`);
          return found?.is_invoiced === approvals.length;
        },
      };
    },
  },
];

export const WORKSHOP_RULES: readonly Rule[] = [...TIME, ...TYRES, ...LEASE];
