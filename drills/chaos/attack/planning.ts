// A garage whose plan is costly. An employee and a workplace have far more hours than they may have, as an older
// release or a restore left them; absences, appointments and time entries come by the hundred thousand.
import { fillPlan, OLD } from './old-plan.ts';
import type { Deed, Part, Target } from './part.ts';
import { ask, type Outcome, repeat, runJob, Tally } from './request.ts';

const NDJSON = 'application/x-ndjson';
const SENDERS = 4;
const JOB_MS = 300_000;
const IMPORTED_ORDERS = 200;
const IMPORTED_HOURS = 2_000;
const MOST_HOURS = 200;

const YEAR = { starts_at: `${OLD.year}-01-01T00:00:00Z`, ends_at: `${OLD.year + 1}-01-01T00:00:00Z` };
const MONTH = { starts_at: `${OLD.year}-03-01T00:00:00Z`, ends_at: `${OLD.year}-04-01T00:00:00Z` };

export const planning: Part = {
  prepare: fillPlan,
  attacks: {
    'load of a year': (target) =>
      askAgain(target, `/planning/load?from=${OLD.year}-01-01&to=${OLD.year}-12-31`),
    'slots of a month': (target) =>
      askAgain(target, `/planning/slots?from=${MONTH.starts_at}&until=${MONTH.ends_at}&minutes=60`),
    'slots of a month over breaks': (target) =>
      askAgain(
        target,
        `/planning/slots?from=${MONTH.starts_at}&until=${MONTH.ends_at}&minutes=300&is_over_breaks=1`,
      ),
    'conflicts of a year': (target) =>
      askAgain(
        target,
        `/planning/conflicts?from=${OLD.year}-01-01&to=${OLD.year}-12-31`,
        ({ status, message }) => status === 200 || (status === 400 && message.includes('conflicts')),
      ),
    'orders with appointments of a year': (target) => sendOrders(target, YEAR, 'ends_at'),
    'orders with appointments of a month': (target) => sendOrders(target, MONTH, 'starts_at'),
    'imports of such orders': importOrders,
    'imports of hours': importHours,
  },
  mostMemory: 400,
  asksOwn: true,
};

async function askAgain(
  target: Target,
  path: string,
  isRight = ({ status }: Outcome): boolean => status === 200,
): Promise<Deed> {
  const answers = new Tally();
  await repeat(target, SENDERS, async () => answers.add(await ask(target, 'GET', path)));
  return deedOf(answers, isRight);
}

/** `field`: the field of an appointment for which the service refuses the order. */
async function sendOrders(target: Target, time: object, field: string): Promise<Deed> {
  const body = JSON.stringify(await orderOf(target, [time, time, time]));
  const answers = new Tally();
  await repeat(target, SENDERS, async () => answers.add(await ask(target, 'POST', '/order', { body })));
  return deedOf(answers, ({ status, message }) => status === 403 && message.includes(`.${field}]`));
}

function deedOf(answers: Tally, isRight: (outcome: Outcome) => boolean): Deed {
  const wrong = answers.count((outcome) => !isRight(outcome));
  return { did: `${answers}`, wrong: wrong > 0 ? [`${wrong} answers are wrong`] : [] };
}

/** An order for the employee with too many hours. */
async function orderOf(target: Target, times: readonly object[]) {
  const [hours] = (await ask(target, 'GET', '/workhour?filter=employee_id[null]:0&page_size=1')).body.data;
  const [contact] = (await ask(target, 'GET', '/contact?page_size=1')).body.data;
  const appointment = times.map((time) => ({ ...time, employee_id: hours.employee_id }));
  return { order_type: 1, order_date: `${OLD.year}-05-01`, contact_id: contact.id, appointment };
}

async function importOrders(target: Target): Promise<Deed> {
  const [year, month] = [await orderOf(target, [YEAR, YEAR, YEAR]), await orderOf(target, [MONTH])];
  const body = `${JSON.stringify(year)}\n${JSON.stringify(month)}\n`.repeat(IMPORTED_ORDERS / 2);
  const began = performance.now();
  const job = await runJob(target, '/import?resource=order', { body, type: NDJSON }, JOB_MS);
  const took = ((performance.now() - began) / 1000).toFixed(1);
  return {
    did: `${IMPORTED_ORDERS} orders: ${job.status} in ${took} s`,
    wrong: job.status === 'done' ? [] : [`the import is ${job.status}: ${job.error}`],
  };
}

async function importHours(target: Target): Promise<Deed> {
  const employee = { first_name: 'Jan', last_name: 'de Boer', role_kind: 2 };
  const { id } = (await ask(target, 'POST', '/employee', { body: JSON.stringify(employee) })).body.data;
  const hours = { employee_id: id, weekday: 1, start_time: '08:00', end_time: '17:00' };
  const body = `${JSON.stringify(hours)}\n`.repeat(IMPORTED_HOURS);
  const job = await runJob(target, '/import?resource=workhour', { body, type: NDJSON }, JOB_MS);
  const { total } = (await ask(target, 'GET', `/workhour?filter=employee_id:${id}&page_size=1&count=1`)).body;
  return {
    did: `${IMPORTED_HOURS} hours of an employee: ${job.status} (${job.error}), ${total} were added`,
    wrong: total > MOST_HOURS ? [`an employee has ${total} hours`] : [],
  };
}
