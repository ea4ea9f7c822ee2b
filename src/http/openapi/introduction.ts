// The text at the top of the OpenAPI document and of the test page: three first steps, and the rest to be opened.
export const INTRODUCTION = `An HTTP/JSON interface to a garage: its orders and invoices, vehicles, contacts, articles and documents.

1. **Get a token.** Open *authentication* below, then \`POST /authenticate\`. Fill in your API key, username and password, and
   press *Execute*. The first start of a new service prints all three, for a demo garage.
2. **Authorise.** Copy the \`token\` of the answer. Press *Authorize*, paste the token, and press *Authorize* once more. The token is
   valid for 30 minutes. A program sends it in the header \`token\` of each request.
3. **Send a request.** Open *owner*, then \`GET /owner\`, and press *Execute*: the answer shows your garage.

Then ask as people ask, whatever the case, the accents and the spaces:

- \`GET /search?q=jansen\`: contacts, vehicles, orders and articles with this word
- \`GET /vehicle?filter=license_plate:zx123v\` finds ZX-123-V
- \`GET /contact?filter=postcode:3581kl\` finds 3581 KL
- \`GET /contact?search=0612345678\` finds the number +31 (0)6 1234 5678
- \`GET /order?filter=any(contact.first_name[has]:zoe,vehicle.license_plate:zx123v)\` finds the orders of Zoë, and of that car

If a request is refused, \`message\` says why, \`code\` names the error for programs, and \`errors\` lists each violation with its
field. Under *Responses*, each operation lists the errors that it can answer.

<details>
<summary>More: lists, changes, safe repeats, limits, jobs and events</summary>

**Records.** POST adds a record, PUT changes the fields that it names, DELETE removes a record. GET with an ID reads one record,
and GET without an ID lists records. \`/order/5\` and \`/order?id=5\` are the same. \`GET /model/{name}\` shows the fields of a record,
and \`GET /util/list\` the values of its lists. A POST takes children under the name of their resource (\`orderline\` of an order);
it writes all of them or none. \`PUT /contact?external_id=K-17\` changes the record that has your own key, or adds it, and its children
likewise by keys of their own.

**Lists.** \`filter=order_type[eq]:1,total_gross[gt]:100\`, \`filter=any(city[has]:utrecht,contact_number:5)\`, \`sort=-order_date\`, \`fields=order_number,order_date\`,
\`expand=contact,orderline\`. A page holds 100 records, or up to 1,000 with \`page_size\`. To read the next page, send \`next\` as
\`cursor\`.

**Changes.** \`GET /changes?after=…&wait=20\` lists each change of a record once, and waits for the next change.
\`GET /audit\` lists the changes with old and new values.

**Refusals.** The checks run in stages: the fields of the body, required fields, rules across fields. A refused request
names every violation of one stage, each with a stable \`code\` and an exact text; \`message\` is the first of these texts. A
later stage runs only if the earlier stages found nothing. Each answer has an \`X-Request-Id\`: yours, if the request had one, or a
new one.

**Safe to send again.** A POST with an \`Idempotency-Key\` is done once. A PUT or DELETE with \`If-Match\` is refused
if somebody else has changed the record meanwhile.

**Limits.** A body holds at most 1 MiB, with a document 15 MiB, with an owner 3 MiB, and a file to import 256 MiB (413). An address
holds 16 KiB (414), and all headers together 64 KiB (431). A body must arrive at 1 KiB per second or faster (408). Its JSON has at most
32 levels, 100,000 values, and 1,000 names in one object (400). Three bodies above 1 MiB of one owner are read at once; others wait,
for a minute at most (503).

**Compression.** An answer of more than 2 KiB is compressed if \`Accept-Encoding\` takes \`br\` or \`gzip\`. Its \`ETag\` names the version of
the record in every encoding.

**Long-running requests** are answered 202 with a job. When the job is over, the service calls your \`webhook_url\` with a secret
\`id\`; \`callbacks\` of each such request describes the call. \`GET /webhook?id=\` then gives the signed address of the file, for
any download tool. If you prefer to poll, \`GET /job/{id}\` shows the same address. Owners take turns, and an owner has at most 100
open jobs (429).

**Events.** A \`webhooksubscription\` gets a POST for each change, as *Webhooks* describes. The headers follow
[Standard Webhooks](https://www.standardwebhooks.com), so its published libraries verify them with the secret that the
answer to POST /webhooksubscription shows. An event may come twice, and events may come in another order: sort them by \`seq\`.

**Database.** The service is tested on MySQL 9.7 (LTS), MariaDB 10.11 and MariaDB 11.8.

</details>`;
