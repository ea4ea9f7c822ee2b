// The rows of the specification, word for word: the errors and the rules. A test compares them with the specification
// if the file lies beside the checkout.
import { RULES } from './rules.ts';

/** By table and reason (with several columns: joined by ` | `): status and text. */
const ERRORS = {
  General: {
    'Internal error': '500 Internal server error',
    'Query parameter given more than once':
      '400 Invalid request, query parameter is provided more than once: [...]',
    'Query parameter not supported': '400 Invalid request, query parameter is not supported: [...]',
    'Endpoint does not exist': '400 Invalid endpoint: [...]',
    'Method not supported': '400 Method: [...] not supported for endpoint: [...]',
  },
  'POST (add one item)': {
    'Body empty': '400 Empty body',
    'Body not JSON': '400 Body is not valid JSON',
    'Field not in model': '403 Field: [....] not found in model',
    'Readonly field supplied': '403 Field: [....] is readonly do not supply in request',
    'Required field missing': '403 Field: [....] is required and not supplied in request',
    'Primary ID supplied': '403 Field: [....] is primary ID do not supply in request',
    'Related ID not found': '404 Field: [....] value: [....] ID not found',
    'Array needs an element': '403 Field: [...] minimum 1 element is required in array',
    'varchar too long': '403 Field: [....] valuelength: [....] too long for datatype: varchar: [....]',
    'text too long': '403 Field: [....] valuelength: [....] too long for datatype: text: [....]',
    'Invalid timestamp': '403 Field: [....] has an invalid value: [....] for datatype: timestamp(ISO 8601)',
    'Invalid float8': '403 Field: [....] has an invalid value: [....] for datatype: float8',
    'Invalid int4': '403 Field: [....] has an invalid value: [....] for datatype: int4',
    'Invalid varchar': '403 Field: [....] has an invalid value: [....] for datatype: varchar',
    'Invalid bytea': '403 Field: [....] has an invalid value: [....] for datatype: bytea',
    'Duplicate unique value': '409 Field: [....] value: [....] has a duplicate illegal value',
    'Custom validation fails': '403 Field: [...] has an invalid value: [...] for validation: [...]',
    "Date not after other field's date":
      '403 Field: [....] value: [....] date must be after Field: [...] value: [...]',
  },
  'GET single record': {
    'Field not in model': '403 Field: [....] not found in model',
    'Primary ID invalid': '403 Primary ID is invalid',
    'Primary ID not found': '404 Field: [....] value: [....] not found',
    'No primary ID': '400 These parameter(s): [... , ...] are required',
  },
  PUT: {
    'Body empty': '400 Empty body',
    'Body not JSON': '400 Body is not valid JSON',
    'Primary ID not valid': '400 Primary ID is not an valid ID',
    'No primary ID': '403 No primary ID provided',
    'Field not in model': '403 Field: [....] not found in model',
    'Readonly field': '403 Field: [....] is readonly do not supply in request',
    'Required field missing': '403 Field: [....] is required and not supplied in request',
    'Required field empty': '403 Field: [....] is required and cannot be empty',
    'Related ID not found': '404 Field: [....] value: [....] ID not found',
    'Array needs an element': '403 Field: [...] minimum 1 element is required in array',
    'Record not found': '404 Field: [....] value: [....] not found',
    'varchar or text too long, invalid timestamp, float8, int4, varchar': '403 same messages as POST',
    'Custom validation fails': '403 Field: [....] has an invalid value: [....] for validation: [....]',
    'Duplicate unique value': '409 Field: [....] Value: [....] has a duplicate illegal value',
    'System record': '409 This is a system record, fields cannot be changed',
    'Blocked record': '409 This is a blocked record, fields cannot be changed, only update: is_blocked',
    'Archived record': '409 This is an archived record, fields cannot be changed, only update: is_archived',
    'Field cannot be updated': '409 Cannot update [....]',
  },
  'GET multiple records': {
    'Required parameters missing': '400 These parameter(s): [... , ...] are required',
    'Field not in model': '403 Field: [....] not found in model',
    'Query parameter not supported': '400 Invalid request, query parameter is not supported: [...]',
    'page is 0 or less': '400 Parameter invalid [page] value must be greater than 0',
  },
  DELETE: {
    'Primary ID not valid': '400 Primary ID is not an valid ID',
    'No primary ID': '403 No primary ID provided',
    'Record not found': '404 Field: [....] value: [....] not found',
    'Referenced elsewhere': '406 Field: [....] in use at: [....]',
    'System record': '409 This is a system-record, record cannot be deleted',
  },
  'Per endpoint': {
    'GET /authenticate | Not logged in, or token invalid': '401 Not authorized',
    'GET /authenticate | External user cannot log in':
      '403 An external user cannot login, contact the vendor servicedesk',
    'GET /authenticate | User has no e-mail address':
      '400 message in Dutch, stating that no e-mail address is known for the user id',
    'GET /authenticate | Invalid e-mail address': '403 Field: [emailaddress] value: [....] not valid',
    'GET /authenticate/acces, /component, /modules | Not logged in, or token invalid': '401 Not authorized',
    'GET /authenticate/logout | Not logged in': '401 Not authorized',
    'GET /authenticate/logout | Token already invalid': '200 Not authorized',
    'GET /authenticate/fingerprint | Not logged in': '401 Missing authorization',
    'GET /authenticate/fingerprint | Token invalid': '401 Not authorized',
    'POST /authenticate/forgotpassword | Not logged in, or token invalid': '401 Token invalid',
    'GET /document/info | Document not available': '403 No external document found',
    'POST/PUT/DELETE /orderline | Parent status forbids change':
      '409 [...] is [...], cannot add/update/delete',
    'POST/PUT/DELETE /order | Status forbids change': '409 [...] is [...], cannot add/update/delete',
    'GET /contact/checkaddress | Postcode not in format 1234 AB; country id invalid':
      '403 Field: [....] has an invalid value: [....] for validation: [....]',
    'GET /contact/checkaddress | Postcode and country id empty':
      '403 Field: [...] is required and not supplied in request',
    'GET /contact/checkaddress | Huisnummer not a number':
      '403 Field: [....] has an invalid value: [....] for datatype: int4',
    'GET /contact/checkaddress | Postcode, huisnummer or toevoeging longer than 10':
      '403 Field: [...] valuelength: [...] too long for type ... (...)',
    'POST /vehicleroleline | Vehicle already has an owner':
      '403 Vehicleroleline is invalid a Vehicle can only have one owner',
    'POST /contactcommunication | is_prefered_email 1 more than once for type email':
      '409 Field: [is_prefered_email] value: [1] has a duplicate illegal value',
    'POST /contactcommunication | is_prefered_email 1 for a type other than email':
      '409 Field: [is_prefered_email] value: [1] is not alowed',
    'DELETE /vehicle | Vehicle is published':
      '403 Vehicle with id: [...] has publish status: published delete not allowed',
    'PUT /vehicle | license_plate changed via PUT':
      '409 The change of the licenseplate is not allowed via put, use /updatelicenseplate.',
    'GET /empoyee/email | No username given': '406 Value username missing.',
    'PUT and GET /vehicle/publishstart | Required field empty (e.g. tax_kind)':
      '403 Field: [tax_kind] value: [null] is required vehicle not published',
    'PUT and GET /vehicle/publishstart | No advertisement site':
      '403 Vehicleadvertisementsite is required, vehicle not published',
    'GET model/{name} | Response body invalid': '400 Body is not valid JSON',
  },
  'POST/PUT /flatrateline (all 403)': {
    'article_id and quantity filled, turnovergroup missing':
      'Field: [turnover_group_id] is required and not supplied in request',
    'article_id filled and is_manual_input = 1': 'Field: [is_manual_input] has an invalid value [1]',
    'article_number and article_id filled and is_manual_input = 1':
      'Field: [is_manual_input] has an invalid value [1]',
    'is_no_article_price = 1 and no article_id': 'Field: [is_no_article_price] has an invalid value [1]',
    'is_no_article_price = 1 and price missing or 0':
      'Field: [price] is required and not supplied in request, or Field: [price] has an invalid value [0]',
    'article_number filled without is_manual_input and without article_id':
      'Field: [article_id] is required and not supplied in request',
    'sort_order already exists': 'Field: [sort_order] has an invalid value [...]',
    'article_id filled and article_number missing':
      'Field: [article_number] is required and not supplied in request',
    'article_number does not belong to article_id': 'Field: [article_number] has an invalid value [...]',
    'unit_type filled, article_kind missing': 'Field: [article_kind] is required and not supplied in request',
    'article_kind filled, unit_type missing': 'Field: [unit_type] is required and not supplied in request',
  },
} as const;

export const ROWS = { ...ERRORS, ...RULES };

export type Table = keyof typeof ROWS;
export type Reason<T extends Table> = keyof (typeof ROWS)[T] & (string | number);
/** Names of cases; with texts if the row leaves its text open. */
export type Names = readonly string[] | Readonly<Record<string, string>>;

const POST = ERRORS['POST (add one item)'];

/** Rows that name several methods, fields or datatypes, or two texts: the cases that need a test. */
export const CASES: { readonly [T in Table]?: { readonly [R in Reason<T>]?: Names } } = {
  PUT: {
    'varchar or text too long, invalid timestamp, float8, int4, varchar': {
      'varchar too long': POST['varchar too long'],
      'text too long': POST['text too long'],
      'Invalid timestamp': POST['Invalid timestamp'],
      'Invalid float8': POST['Invalid float8'],
      'Invalid int4': POST['Invalid int4'],
      'Invalid varchar': POST['Invalid varchar'],
    },
  },
  'Per endpoint': {
    'GET /authenticate | User has no e-mail address': {
      'in Dutch': '400 Er is geen e-mailadres bekend voor gebruiker: [...]',
    },
    'GET /authenticate/acces, /component, /modules | Not logged in, or token invalid': [
      '/acces',
      '/component',
      '/modules',
    ],
    'POST /authenticate/forgotpassword | Not logged in, or token invalid': ['not logged in', 'token invalid'],
    'POST/PUT/DELETE /orderline | Parent status forbids change': ['POST', 'PUT', 'DELETE'],
    'POST/PUT/DELETE /order | Status forbids change': ['POST', 'PUT', 'DELETE'],
    'GET /contact/checkaddress | Postcode not in format 1234 AB; country id invalid': [
      'postcode',
      'country_id',
    ],
    'GET /contact/checkaddress | Postcode and country id empty': ['postcode', 'country_id'],
    'GET /contact/checkaddress | Postcode, huisnummer or toevoeging longer than 10': [
      'postcode',
      'huisnummer',
      'toevoeging',
    ],
    'PUT and GET /vehicle/publishstart | Required field empty (e.g. tax_kind)': ['PUT', 'GET'],
    'PUT and GET /vehicle/publishstart | No advertisement site': ['PUT', 'GET'],
  },
  'POST/PUT /flatrateline (all 403)': {
    ...Object.fromEntries(
      Object.keys(ERRORS['POST/PUT /flatrateline (all 403)']).map((reason) => [reason, ['POST', 'PUT']]),
    ),
    'is_no_article_price = 1 and price missing or 0': {
      'POST, missing': 'Field: [price] is required and not supplied in request',
      'PUT, missing': 'Field: [price] is required and not supplied in request',
      'POST, 0': 'Field: [price] has an invalid value [0]',
      'PUT, 0': 'Field: [price] has an invalid value [0]',
    },
  },
  Endpoints: {
    'POST / PUT / DELETE | /order': ['POST', 'PUT', 'DELETE'],
    'POST / PUT / DELETE | /orderline': ['POST', 'PUT', 'DELETE'],
    'PUT / DELETE | /vehicle': ['PUT', 'DELETE'],
    'PUT and GET | /vehicle/publishstart': ['PUT', 'GET'],
    'POST / PUT | /flatrateline': ['POST', 'PUT'],
  },
};
