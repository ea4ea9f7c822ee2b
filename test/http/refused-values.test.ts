// The entries of `errors`: how much they show of a value, and how many there are.
import { type Client, newClient, send } from '../support/client/client.ts';
import { expect } from '../support/client/expect.ts';

const SECRET = 'hush hush';

describe('the entries of errors', () => {
  let client: Client;
  before(async () => {
    client = await newClient();
  });

  const SECRETS: [path: string, body: object, message: string][] = [
    [
      '/employee',
      { password: SECRET },
      'Field: [password] has an invalid value: [...] for validation: [minimum 12 characters]',
    ],
    [
      '/employee',
      { password: [SECRET] },
      'Field: [password] has an invalid value: [...] for datatype: varchar',
    ],
    ['/document', { content: SECRET }, 'Field: [content] has an invalid value: [...] for datatype: bytea'],
    [
      '/authenticate',
      { password: [SECRET] },
      'Field: [password] has an invalid value: [...] for datatype: text',
    ],
    [
      '/authenticate',
      { api_key: [SECRET] },
      'Field: [api_key] has an invalid value: [...] for datatype: text',
    ],
  ];
  for (const [path, body, message] of SECRETS) {
    it(`never show the value of a write-only field: ${message}`, async () => {
      const answer = await client.post(path, body);

      expect(answer).to.be.refused(403, message);
      expect(answer.text).not.to.include('hush');
      expect(answer.body.errors[0]).not.to.have.property('value');
    });
  }

  it('have a value as it was sent, where it is short', async () => {
    const { body } = await client.post('/contact', { huisnummer: ['x'] });

    expect(body.errors[0].value).to.deep.equal(['x']);
  });

  for (const [what, value] of [
    ['a text', '😀'.repeat(5_000)],
    ['an array', ['x'.repeat(5_000)]],
  ] as const) {
    it(`cut ${what} as the message does`, async () => {
      const { body } = await client.post('/contact', { huisnummer: value });

      const [{ value: shown, message }] = body.errors;
      expect(shown).to.be.a('string').and.match(/…$/);
      expect(Array.from(shown)).to.have.length(101);
      expect(message).to.include(`invalid value: [${shown}] for`);
    });
  }

  for (const [count, last] of [
    [100, undefined],
    [101, '[1] more errors'],
    [112, '[12] more errors'],
  ] as const) {
    it(`are at most 100, and one that counts the others: ${count}`, async () => {
      const body = Object.fromEntries(Array.from({ length: count }, (_, index) => [`x${index}`, 1]));

      const { errors, code } = (await client.post('/contact', body)).body;

      expect(code).to.equal('field_unknown');
      expect(errors).to.have.length(Math.min(count, 101));
      expect(errors[99]).to.include({ field: 'x99' });
      if (last) expect(errors[100]).to.deep.equal({ code: 'more_errors', message: last });
    });
  }

  for (const [path, kind] of [
    ['/contact', 'contactcommunication'],
    ['/order/credit', 'orderline'],
  ] as const) {
    it(`are as few for the elements of ${kind}`, async () => {
      const element = Object.fromEntries(Array.from({ length: 60 }, (_, index) => [`x${index}`, 1]));

      const { errors } = (await client.post(path, { [kind]: [element, element, element, 5], y: 1 })).body;

      expect(errors).to.have.length(101);
      expect(errors[99]).to.include({ code: 'field_unknown', field: `${kind}[1].x39` });
      expect(errors[100].message).to.equal('[82] more errors');
    });
  }

  it('are as few for parameters', async () => {
    const query = Array.from({ length: 150 }, (_, index) => `x${index}=1`).join('&');

    const { body } = await send('GET', `/order?${query}`, { headers: { token: client.garage.token } });

    expect(body.errors).to.have.length(101);
    expect(body.errors[100].message).to.equal('[50] more errors');
  });
});
