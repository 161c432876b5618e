import type { Instant } from '../kernel/dates.ts';
import type { ExportPorts } from './ports.ts';
import type { Job } from './jobs.ts';

export function nextRunOf(_job: Job, _zone: string, _now: number): Instant | null {
  return null;
}

export function scheduleJobs(_ports: ExportPorts, _run: (job: string) => Promise<unknown>): { stop(): void } {
  return { stop() {} };
}
