// The drill of drills/chaos/booking.ts, with a process at each of three nodes.
import { type BookingOptions, playBooking } from '../chaos/booking.ts';
import type { Report } from '../chaos/report.ts';
import type { OpenCluster } from './cluster.ts';
import { Scene } from './scene.ts';

export async function booking(
  report: Report,
  folder: string,
  { openCluster, ...options }: BookingOptions & { readonly openCluster: OpenCluster },
): Promise<void> {
  const scene = await Scene.open(folder, openCluster, { JOB_THREADS: '0' });
  try {
    await scene.start();
    await playBooking(report, scene.ask.bind(scene), options, () => scene.settle());
    for (const line of scene.errors()) report.say(`  logged by ${line}`);
  } finally {
    await scene.close();
  }
}
