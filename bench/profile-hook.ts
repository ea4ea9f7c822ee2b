// Loaded into a server by node --import. The first SIGUSR2 starts a CPU profile of the main thread, the second
// writes the profile to PROFILE_FILE. So the profile leaves out start and warm-up.
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
