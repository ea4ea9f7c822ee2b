// The process that makes the load: reads what to do as JSON, answers what came of it. Latencies are taken from
// the connections themselves, since autocannon's own table knows whole milliseconds only.
import autocannon from 'autocannon';
import type { Answers, Load, Request } from './load.ts';
import { readInput } from './process.ts';
import { percentile } from './statistics.ts';

const PATIENCE_SECONDS = 60;

const { url, token, connections, seconds, requests } = await readInput<Load>();
const headers = { token, 'content-type': 'application/json' };
const latencies: number[] = [];
let failures = 0;

const shareOf = (client: number): Request[] => {
  const share = requests.filter((_, index) => index % connections === client);
  return share.length > 0 ? share : [...requests];
};

const attempt = (length: { duration: number } | { amount: number }) => {
  let clients = 0;
  return autocannon({
    url,
    connections,
    headers,
    timeout: PATIENCE_SECONDS,
    ...length,
    setupClient: (client) => {
      // Each is made the client's own: autocannon keeps the bytes to send in the request that it is given.
      client.setRequests(shareOf(clients).map((request) => ({ ...request, headers })));
      clients += 1;
      client.on('response', (status, _bytes, milliseconds) => {
        if (status >= 200 && status < 300) latencies.push(milliseconds);
        else failures += 1;
      });
    },
  });
};

let outcome = await attempt({ duration: seconds });
// What takes longer than the time given is waited for, once a connection.
if (latencies.length === 0) outcome = await attempt({ amount: connections });
const { errors, timeouts, duration } = outcome;
latencies.sort((one, other) => one - other);
const answers: Answers = {
  requests: latencies.length,
  seconds: duration,
  failures: failures + errors + timeouts,
  p50: percentile(latencies, 0.5),
  p99: percentile(latencies, 0.99),
};
process.stdout.write(JSON.stringify(answers));
