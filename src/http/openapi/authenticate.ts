// The description of /authenticate and what lies below it.
import { violation } from '../../errors.ts';
import { CREDENTIALS, FORGOT } from '../authenticate.ts';
import { flag, instant, integer, type OperationDoc, optionalText, text, uuid } from './operation.ts';
import { bodyErrors } from './record-errors.ts';
import { formSchema, object, type SchemaObject } from './schema.ts';

const tag = 'authentication';
const credentials: Record<string, SchemaObject> = {
  api_key: { ...uuid, description: 'Issued once per third party' },
  username: { ...text, description: 'A user of the garage, in lower case' },
  password: { ...text, format: 'password', description: 'The password of that user' },
};
const organization: SchemaObject = {
  ...optionalText,
  description: "Left empty, or the name of the user's garage",
};
const token = object({ token: text, expires_at: instant });
const loginErrors = [
  violation('parameters_required', { fields: ['api_key', 'username'] }),
  violation('not_authorized'),
  violation('external_user'),
  violation('emailaddress_missing', { id: 7 }),
  violation('emailaddress_invalid', { field: 'emailaddress', value: 'nobody' }),
  violation('too_many_attempts'),
];

export const authenticateDocs: Record<string, OperationDoc> = {
  'GET /authenticate': {
    tag,
    operationId: 'authenticate',
    summary: 'Get a token',
    description: 'Prefer POST: it keeps the password out of addresses.',
    parameters: {
      ...Object.fromEntries(
        Object.entries(credentials).map(([name, schema]) => [
          name,
          { description: String(schema.description), required: true, schema },
        ]),
      ),
      organization_name: { description: "Left empty, or the name of the user's garage" },
    },
    answer: token,
    errors: loginErrors,
  },
  'POST /authenticate': {
    tag,
    operationId: 'authenticateByBody',
    summary: 'Get a token, the password in the body',
    body: object({ ...credentials, organization_name: organization }, { required: Object.keys(credentials) }),
    answer: token,
    errors: [...loginErrors, ...bodyErrors(Object.entries(CREDENTIALS.fields))],
  },
  'GET /authenticate/acces': {
    tag,
    operationId: 'readAccess',
    summary: 'What this token may use',
    data: { type: 'array', items: object({ method: text, endpoint: text }) },
  },
  'GET /authenticate/component': {
    tag,
    operationId: 'readComponents',
    summary: 'The resources that this token may use',
    data: {
      type: 'array',
      items: object({ name: text, can_read: flag, can_add: flag, can_update: flag, can_delete: flag }),
    },
  },
  'GET /authenticate/modules': {
    tag,
    operationId: 'readModules',
    summary: 'The modules of the garage',
    data: { type: 'object', additionalProperties: flag },
  },
  'GET /authenticate/fingerprint': {
    tag,
    operationId: 'readFingerprint',
    summary: 'What the token stands for',
    data: object({
      fingerprint: text,
      username: text,
      owner_id: integer,
      issued_at: instant,
      expires_at: instant,
    }),
    errors: [violation('authorization_missing'), violation('not_authorized')],
  },
  'GET /authenticate/logout': {
    tag,
    operationId: 'logout',
    takesToken: true,
    summary: 'End the token',
    description: 'A token that is dead already is answered 200 with the message `Not authorized`.',
    answer: object({ successCode: { type: 'integer', const: 200 }, message: text }),
    errors: [violation('not_authorized')],
  },
  'POST /authenticate/forgotpassword': {
    tag,
    operationId: 'forgotPassword',
    summary: 'Mail a link to set a new password',
    description:
      "For the caller's own user where no username is given. The answer is the same whether or not the user exists.",
    body: formSchema(FORGOT),
    bodyOptional: true,
    data: object({ message: text }),
    errors: [violation('token_invalid'), ...bodyErrors(Object.entries(FORGOT.fields))],
  },
};
