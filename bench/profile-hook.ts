// Loaded into a server that is profiled (node --import): a first SIGUSR2 begins a CPU profile of the thread that
// answers, a second one writes it to PROFILE_FILE. So it holds neither start nor warm-up.
import { writeFileSync } from 'node:fs';
import { Session } from 'node:inspector/promises';
import { isMainThread } from 'node:worker_threads';

const INTERVAL_MICROSECONDS = 200;

if (isMainThread) {
  const session = new Session();
  session.connect();
  let running = false;
  process.on('SIGUSR2', async () => {
    running = !running;
    if (running) {
      await session.post('Profiler.enable');
      await session.post('Profiler.setSamplingInterval', { interval: INTERVAL_MICROSECONDS });
      await session.post('Profiler.start');
    } else {
      const { profile } = await session.post('Profiler.stop');
      writeFileSync(process.env.PROFILE_FILE ?? 'profile.cpuprofile', JSON.stringify(profile));
    }
  });
}
