// The rules of all records that two requests at two nodes could break together: unique keys, one record for each
// Idempotency-Key, no reference to a deleted record.
import { LISTS } from '../../src/core/trade/lists.ts';
import { post, put, type Rule, remove } from './pair.ts';
import type { Scene } from './scene.ts';

const { articlekinds, unittypes, vatcodes, contactkinds } = LISTS;
const unique = () => crypto.randomUUID();

const NEW_CHILDREN: Rule = {
  name: 'an upsert adds each child once, and no answer is refused',
  prepare: async (scene, round) => {
    const key = unique();
    const isKnown = round % 2 === 1;
    if (isKnown) await scene.ask(0, 'PUT', `/contact?external_id=${key}`, { body: CONTACT });
    const body = { ...CONTACT, contactcommunication: ['1', '2'].map((one) => mail(`${key}/${one}`, 0)) };
    const request = { method: 'PUT', path: `/contact?external_id=${key}`, body };
    return {
      requests: [request, request],
      isBroken: async (answers) =>
        answers.some(({ status }) => status !== 200 && status !== 201) ||
        (await scene.list('contact', `external_id:${key}`)).length !== 1 ||
        (await scene.list('contactcommunication', `external_id[like]:${key}/*`)).length !== 2,
    };
  },
};

const PREFERRED_CHILD: Rule = {
  name: 'two upserts prefer one address of a contact',
  prepare: async (scene) => {
    const key = unique();
    await scene.ask(0, 'PUT', `/contact?external_id=${key}`, { body: CONTACT });
    const request = (name: string) => ({
      method: 'PUT',
      path: `/contact?external_id=${key}`,
      body: { contactcommunication: [mail(`${key}/${name}`, 1)] },
    });
    return {
      requests: [request('1'), request('2')],
      isBroken: async () =>
        (await scene.list('contactcommunication', `external_id[like]:${key}/*,is_prefered_email:1`))
          .length !== 1,
    };
  },
};

const mail = (external_id: string, is_prefered_email: number) => ({
  external_id,
  communication_type: LISTS.communicationtypes.EMAIL,
  value: 'a@b.nl',
  is_prefered_email,
});

const KEYS: Rule[] = [
  NEW_CHILDREN,
  PREFERRED_CHILD,
  {
    name: 'an external_id is there once',
    prepare: async (scene) => {
      const external_id = unique();
      const request = post('contact', { ...CONTACT, external_id });
      return {
        requests: [request, request],
        isBroken: async () => (await scene.list('contact', `external_id:${external_id}`)).length !== 1,
      };
    },
  },
  {
    name: 'an upsert adds one record, and no answer is refused',
    prepare: async (scene) => {
      const key = unique();
      const request = { method: 'PUT', path: `/contact?external_id=${key}`, body: CONTACT };
      return {
        requests: [request, request],
        isBroken: async (answers) =>
          answers.some(({ status }) => status !== 200 && status !== 201) ||
          (await scene.list('contact', `external_id:${key}`)).length !== 1,
      };
    },
  },
  {
    name: 'an Idempotency-Key adds one record',
    prepare: async (scene) => {
      const city = unique();
      const request = { ...post('contact', { ...CONTACT, city }), headers: { 'idempotency-key': city } };
      return {
        requests: [request, request],
        isBroken: async () => (await scene.list('contact', `city:${city}`)).length !== 1,
      };
    },
  },
];

const MOST_SUBSCRIPTIONS = 20;

const LIMITS: Rule[] = [
  {
    name: 'an owner has 20 subscriptions at most',
    prepare: async (scene) => {
      const ids = (await subscriptions(scene)).map(({ id }) => Number(id));
      for (const id of ids.slice(MOST_SUBSCRIPTIONS - 1))
        await scene.ask(0, 'DELETE', `/webhooksubscription/${id}`);
      for (let count = ids.length; count < MOST_SUBSCRIPTIONS - 1; count += 1)
        await scene.add('webhooksubscription', SUBSCRIPTION);
      return {
        requests: [post('webhooksubscription', SUBSCRIPTION), post('webhooksubscription', SUBSCRIPTION)],
        isBroken: async () => (await subscriptions(scene)).length > MOST_SUBSCRIPTIONS,
      };
    },
  },
];

const SUBSCRIPTION = { url: 'https://shop.invalid/events', resources: ['turnovergroup'] };
const subscriptions = (scene: Scene) => scene.list('webhooksubscription', 'is_blocked:0');

const CONTACT = { contact_kind: contactkinds.PERSON, last_name: 'de Boer', country_id: 1 };

const article = (turnover_group_id: number) => ({
  article_number: unique(),
  description: 'Oil filter',
  article_kind: articlekinds.PART,
  unit_type: unittypes.PIECE,
  price: 10,
  vat_code: vatcodes.HIGH,
  turnover_group_id,
});
const addGroup = (scene: Scene) =>
  scene.add('turnovergroup', { code: unique().slice(0, 10), name: 'Parts', vat_code: vatcodes.HIGH });

const DELETIONS: Rule[] = [
  {
    name: 'a deleted record is not referred to, by POST',
    prepare: async (scene) => {
      const group = await addGroup(scene);
      return {
        requests: [remove('turnovergroup', group), post('article', article(group))],
        isBroken: () => isDangling(scene, group),
      };
    },
  },
  {
    name: 'a deleted record is not referred to, by PUT',
    prepare: async (scene) => {
      const [group, other] = [await addGroup(scene), await addGroup(scene)];
      const id = await scene.add('article', article(other));
      return {
        requests: [remove('turnovergroup', group), put('article', id, { turnover_group_id: group })],
        isBroken: () => isDangling(scene, group),
      };
    },
  },
];

const isDangling = async (scene: Scene, group: number) =>
  (await scene.ask(0, 'GET', `/turnovergroup/${group}`)).status === 404 &&
  (await scene.list('article', `turnover_group_id:${group}`)).length > 0;

export const RECORD_RULES: readonly Rule[] = [...KEYS, ...LIMITS, ...DELETIONS];
