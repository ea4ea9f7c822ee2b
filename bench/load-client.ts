// The process that sends the load: reads a Load from each line and writes Answers. It records each latency itself,
// because autocannon's own histogram has whole milliseconds only.
import autocannon from 'autocannon';
import type { Answers, Load, Request } from './load.ts';
import { answerInputs } from './process.ts';
import { percentile } from './statistics.ts';

const TIMEOUT_SECONDS = 60;
/** How often autocannon looks whether a run is over. */
const LOOK_MS = 10;

await answerInputs<Load, Answers>(async ({ url, token, connections, length, requests }) => {
  const headers = { token, 'content-type': 'application/json' };
  const latencies: number[] = [];
  let failures = 0;
  let lastAnswer = 0;
  const requestsOf = (client: number): Request[] => {
    const share = requests.filter((_, index) => index % connections === client);
    return share.length > 0 ? share : [...requests];
  };
  const run = (until: { duration: number } | { amount: number }) => {
    let clients = 0;
    return autocannon({
      url,
      connections,
      headers,
      timeout: TIMEOUT_SECONDS,
      sampleInt: LOOK_MS,
      ...until,
      setupClient: (client) => {
        // Each client needs copies of its own: autocannon stores the bytes to send in the request object.
        client.setRequests(
          requestsOf(clients).map((request) => ({ ...request, headers: { ...headers, ...request.headers } })),
        );
        clients += 1;
        client.on('response', (status, _bytes, milliseconds) => {
          lastAnswer = performance.now();
          if (status >= 200 && status < 300) latencies.push(milliseconds);
          else failures += 1;
        });
      },
    });
  };

  const started = performance.now();
  // autocannon deals out an amount as requestsOf does, so no client sends one of its requests twice.
  let outcome = await run('amount' in length ? length : { duration: length.seconds });
  // A request that takes longer than the run: wait for one answer on each connection.
  if (latencies.length === 0 && failures === 0) outcome = await run({ amount: connections });
  const { errors, timeouts, duration } = outcome;
  latencies.sort((first, second) => first - second);
  return {
    requests: latencies.length,
    seconds: 'amount' in length ? (lastAnswer - started) / 1000 : duration,
    failures: failures + errors + timeouts,
    p50: percentile(latencies, 0.5),
    p99: percentile(latencies, 0.99),
  };
});
