// The text at the top of the OpenAPI document and of the test page.
export const INTRODUCTION = `An HTTP/JSON interface to a garage: its orders and invoices, vehicles, contacts, articles and documents.

**Token.** Begin with \`POST /authenticate\`: it takes the API key of your application, and the name and password
of a user of the garage. The token that it answers goes into the header \`token\` of every other request and is
valid for 30 minutes. On the test page: *Try it out* there, then paste the token under *Authorize*.

**Records.** POST adds one, GET with an ID reads one, PUT changes the fields that it names, DELETE removes one, GET
without an ID lists. \`/order/5\` and \`/order?id=5\` are the same. What a record consists of is also told by
\`GET /model/{name}\`, the values of its lists by \`GET /util/list\`. A POST takes children under the name of their
resource (\`orderline\` of an order), all or none. \`PUT /contact?external_id=K-17\` changes the record with your own key, or
adds it.

**Lists.** \`filter=order_type[eq]:1,total_gross[gt]:100\`, \`sort=-order_date\`, \`fields=order_number,order_date\`,
\`expand=contact,orderline\`. A page holds 100 records, at most 1,000 with \`page_size\`; \`next\` is the \`cursor\` of the
next one.

**Changes.** \`GET /changes?after=…&wait=20\` lists what was changed, each change once, and waits for the next one.
\`GET /audit\` lists the same with old and new values.

**Refusals.** The checks run in stages: the fields of the body, required fields, rules across fields. A refused request
names every violation of one stage, each with a stable \`code\` and the exact text; \`message\` is the first of them. A
later stage runs only where the earlier stages found nothing. Each answer carries \`X-Request-Id\`: that of the request, or a new one.

**Safe to send again.** A POST with an \`Idempotency-Key\` is done once. A PUT or DELETE with \`If-Match\` is refused
where somebody else changed the record meanwhile.

**Limits.** A body holds at most 1 MiB, with a document 15 MiB, with an owner 3 MiB; a file of an import 256 MiB (413); an address 16 KiB (414), all headers 64 KiB (431).
A body arrives at 1 KiB per second at least (408). Its JSON has at most 32 levels, 100,000 values and 1,000 names in one
object (400).

**Long-running requests** are answered 202 with a job. When it is over, your \`webhook_url\` is called with a secret
\`id\`; \`GET /webhook?id=\` then gives the signed address of the file, which any download tool can fetch. \`GET /job/{id}\`
shows the same address to a caller who polls. Owners take turns, and an owner has at most 100 open jobs (429).
The headers of the call are described as \`callbacks\` of these requests.

**Events.** A \`webhooksubscription\` gets a POST for each change, as *Webhooks* describes. The headers follow
[Standard Webhooks](https://www.standardwebhooks.com), so its published libraries verify them with the secret that the
answer to POST /webhooksubscription shows. Events may come twice and in another order: order them by \`seq\`.

**Database.** The service is tested on MySQL 9.7 (LTS), MariaDB 10.11 and MariaDB 11.8.`;
