// The specification's numbered rules, limits, fields and endpoints, word for word. A row is its last two cells under
// the cells before them, as in rows.ts.
export const RULES = {
  'What the service does': {
    1:
      'Every endpoint requires a token obtained from the authentication endpoint. Exception: the ' +
      'authentication endpoint itself, which takes credentials.',
    2:
      'Record operations follow a common pattern: POST adds one item, GET with a primary ID fetches one ' +
      'item, PUT updates one item, DELETE removes one item, and GET without a primary ID lists multiple ' +
      'items.',
    3:
      'Endpoints whose processing takes longer than 500 ms use a webhook: the call returns at once and ' +
      'the result is retrieved afterwards (see Events).',
    4:
      'Orders cover several kinds of work. Orders with the final status "invoice" are invoices. Invoices ' +
      'are a subset of orders, not a separate resource.',
    5: 'The documentation language is English. A Swagger-style test page exists at {swagger_url}.',
  },
  Order: {
    order_type: 'integer Kind of order, see the table below',
    is_invoiced: 'integer 1 = the order is an invoice (final status, its elements cannot be changed)',
    order_date: 'timestamp (ISO 8601) Date of the order',
    order_number: 'as the service assigns Order number',
    WORKSHOP: '1 Workshop',
    VEHICLE_SALES: '2 Vehicle sales',
    VEHICLE_PURCHASE: '3 Vehicle purchase',
    INTERNAL_REVERSAL: '4 Credit',
    BPM: '5 Vehicle acquisition tax',
  },
  'Other resources': {
    vehicle:
      'license_plate (required; changed only through /updatelicenseplate), tax_kind (required to ' +
      'publish), publish status, vehicleadvertisementsite (required to publish)',
    contactcommunication:
      'is_prefered_email (1 allowed at most once per contact for type email; type email = 4; value 1 is ' +
      'refused for other types)',
    flatrateline:
      'article_id, article_number, article_kind, unit_type, quantity, price, turnover_group_id, ' +
      'is_manual_input, is_no_article_price, sort_order',
    'contact address check':
      'postcode (format 1234 AB), huisnummer (integer), toevoeging, country id (each of postcode, ' +
      'huisnummer and toevoeging at most 10 characters)',
    'any record': 'is_blocked, is_archived (the only fields updatable on a blocked or archived record)',
  },
  'States and transitions': {
    'order, any status before invoice | not shown | not shown':
      'invoice (is_invoiced = 1) Order elements can no longer be changed',
    1: 'Invoice is the last status of an order; is_invoiced = 1 marks it.',
    2:
      'Adding, updating or deleting an order or an order line whose (parent) status forbids it returns ' +
      '409 (see Errors).',
    3:
      'A system record cannot be changed (409) or deleted (409). A blocked record accepts only an update ' +
      'of is_blocked. An archived record accepts only an update of is_archived.',
    4:
      'A published vehicle cannot be deleted (403). Publishing needs required fields and a vehicle ' +
      'advertisement site.',
  },
  Endpoints: {
    'GET | /authenticate':
      'query: api_key (UUID, required), organization_name (leave empty), username, password 200, JSON ' +
      'with field `token` (string)',
    'GET | /authenticate/acces': 'token not shown',
    'GET | /authenticate/component': 'token not shown',
    'GET | /authenticate/logout': 'token ends the token; see Errors for the invalid-token case',
    'GET | /authenticate/modules': 'token not shown',
    'GET | /authenticate/fingerprint': 'token not shown',
    'POST | /authenticate/forgotpassword': 'token not shown',
    'GET | /util/environment': 'query: username not shown',
    'GET | /util/list':
      'query: list (name of list, e.g. ordertypes) JSON object with a key equal to the list name',
    'GET | /order':
      'query: page (integer, greater than 0), fields (comma-separated field names), filter one page of ' +
      'orders',
    'POST / PUT / DELETE | /order': 'JSON body for POST and PUT see record rules',
    'POST / PUT / DELETE | /orderline': 'JSON body for POST and PUT see record rules',
    'POST | /backup/owner':
      'JSON body with webhook_url (string, HTTPS, publicly reachable) 202; body contains successCode = 202',
    'GET | /webhook':
      'query: id (the secret UUID from the callback) 200, JSON with object `data`, which holds field ' +
      '`url` (string, address of the payload or file)',
    'GET | /document/info': 'not shown error if no external document exists',
    'GET | /contact/checkaddress':
      'postcode, huisnummer, toevoeging, country id validation errors listed below',
    'POST | /vehicleroleline': 'JSON body one owner per vehicle enforced',
    'POST | /contactcommunication': 'JSON body see rules above',
    'PUT / DELETE | /vehicle': 'JSON body for PUT see rules above',
    'PUT and GET | /vehicle/publishstart': 'not shown publishing checks',
    'GET | /empoyee/email': 'query: username path spelled exactly as shown',
    'POST / PUT | /flatrateline': 'JSON body validation rules in Errors',
    'GET | model/{name}': 'name of a model not shown',
    'PUT | /updatelicenseplate': 'not shown changes the license plate of a vehicle',
  },
  'Filtering and field selection on list endpoints': {
    1:
      '`filter` has the form `<field>[<operator>]:<value>`, sent URL-encoded. The operator `eq` is the ' +
      'one shown.',
    2: '`fields` selects which fields each item contains.',
    3:
      'Invoices are listed with filter is_invoiced[eq]:1. Orders of one type are listed with filter ' +
      'order_type[eq]:<order_type_value>.',
    4: 'Query parameters not in the supported set, or given more than once, are refused with 400.',
    5: 'A list call with required parameters missing returns 400.',
  },
  'Record operation rules': {
    1:
      'POST must not contain the primary ID, readonly fields or unknown fields. It must contain all ' +
      'required fields. Arrays that need at least one element must have one.',
    2: 'PUT needs the primary ID and a valid body. Required fields present must not be empty.',
    3:
      'Values are checked against the data type, length (varchar, text), timestamp format (ISO 8601), ' +
      'custom validation, uniqueness, and date ordering between fields.',
    4: 'DELETE is refused while the record is referenced elsewhere (406).',
  },
  Authentication: {
    1:
      'The token is obtained with GET /authenticate. Required input: api_key (UUID issued per third ' +
      'party, which filters the endpoints that party may use; kept private; requested by e-mail to the ' +
      "provider's developer contact at <DEVELOPER_EMAIL> with reasons), username and password (per " +
      'client), organization_name (left empty).',
    2: 'The response holds a unique token.',
    3: 'All other requests send it in the HTTP header `token: <ACCESS_TOKEN>`.',
    4:
      'The token is valid for 30 minutes. After that, requests fail with 401 Not authorized, and a new ' +
      'token must be requested.',
    5: 'Behaviour of the other /authenticate endpoints beyond their error cases: not shown.',
  },
  Events: {
    1:
      'The client POSTs to the endpoint with webhook_url (must start with https and be publicly ' +
      'accessible). The service answers 202, request not yet finished.',
    2:
      'When processing is done, the service calls webhook_url with HTTP GET, adding a query parameter ' +
      'id=<secret_uuid>.',
    3: 'The client answers the callback with an empty successful response.',
    4:
      'The client calls GET /webhook with the query parameter id=<secret_uuid> and the token header. The ' +
      'service answers 200 with data.url, usually the address of a file.',
    5: 'If the payload is a file address, the client downloads it with GET on that address.',
  },
  Limits: {
    'Token validity': '30 minutes from issue',
    'Webhook threshold': 'endpoints slower than 500 ms use the webhook flow',
    page: 'must be greater than 0',
    'Length of postcode, huisnummer, toevoeging': 'at most 10 characters each',
    'Vehicle owners per vehicle': '1',
    'Preferred e-mail per contact': '1 (is_prefered_email)',
  },
} as const;
