import type { Facts } from './facts.ts';
import type { ProvenService } from './service.ts';

const PATIENCE_MS = 15 * 60_000;
const LOOK_MS = 2_000;

/** Imports the data set of real bookings with their events. */
export function importAll(service: ProvenService, file: string) {
  return service.stayd('import', 'bookings', file, '--mapping', 'hotel-bookings', '--json');
}

/** Resolves when nothing waits anywhere. */
export async function settle(facts: Facts): Promise<void> {
  const end = performance.now() + PATIENCE_MS;
  while (!(await facts.settled())) {
    if (performance.now() > end) throw new Error('the mirror did not settle');
    await pause(LOOK_MS);
  }
}

export function pause(msToWait: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, msToWait));
}
