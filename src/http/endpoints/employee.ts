// GET /empoyee/email, as the specification spells it, and GET /employee/email.

import { problem, violation } from '../../core/errors.ts';
import { garageOf } from '../../core/model/statements/garage.ts';
import { findUser } from '../../platform/auth/user.ts';
import { type Answer, success } from '../answer.ts';
import { type Call, type Endpoint, get } from '../endpoint.ts';
import { optionalText, text } from '../openapi/operation.ts';
import { object } from '../openapi/schema.ts';

const emailEndpoint = (path: string, operationId: string): Endpoint =>
  get(path, {
    needs: 'READONLY',
    parameters: ['username'],
    handle: readEmail,
    doc: {
      tag: 'employee',
      operationId,
      summary: 'The e-mail address of a user',
      description:
        '`/empoyee/email` and `/employee/email` are the same. The address is null if the user has none.',
      parameters: { username: { description: 'A user of this garage', required: true } },
      data: object({ username: text, emailaddress: optionalText }),
      errors: [
        violation('username_missing'),
        violation('record_unknown', { field: 'username', value: 'anna' }),
      ],
    },
  });

export const employeeEndpoints: Endpoint[] = [
  emailEndpoint('/empoyee/email', 'readEmpoyeeEmail'),
  emailEndpoint('/employee/email', 'readEmployeeEmail'),
];

async function readEmail({ services, identity, parameters }: Call): Promise<Answer> {
  const username = parameters.get('username');
  if (!username) throw problem('username_missing');
  const user = await findUser(garageOf(services.database, identity.owner), username);
  if (!user) throw problem('record_unknown', { field: 'username', value: username });
  return success({ username: user.username, emailaddress: user.emailaddress });
}
