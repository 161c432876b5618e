import type { Fill } from './windows.ts';

export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;

export function told(fill: Fill | undefined): string {
  if (!fill) return 'nothing was asked';
  const { bucket, seconds: length, used, max } = fill;
  return `${percent(used / max)} (${bucket}, ${used} of ${max} in ${length} s)`;
}

export function spoken(ms: number): string {
  if (ms < MINUTE) return `${(ms / 1_000).toFixed(1)} s`;
  return ms < 2 * HOUR ? minutes(ms) : `${(ms / HOUR).toFixed(1)} h`;
}

export function minutes(ms: number): string {
  return `${(ms / MINUTE).toFixed(1)} min`;
}

export function percent(part: number): string {
  return `${(100 * part).toFixed(1)} %`;
}

/** Since a moment of the real clock. */
export function seconds(begun: number): string {
  return `${((performance.now() - begun) / 1_000).toFixed(0)} s`;
}

export function peakMb(): string {
  return (process.resourceUsage().maxRSS / 1_024).toFixed(0);
}
