const DAY_MS = 86_400_000;
const formats = new Map<string, Intl.DateTimeFormat>();

/** Milliseconds by which a zone's clocks are ahead at a moment. */
function offsetOf(ms: number, zone: string): number {
  let format = formats.get(zone);
  if (!format) {
    const numeric = 'numeric';
    const fields = {
      year: numeric,
      month: numeric,
      day: numeric,
      hour: numeric,
      minute: numeric,
      second: numeric,
    } as const;
    format = new Intl.DateTimeFormat('en-US', { ...fields, hourCycle: 'h23', timeZone: zone });
    formats.set(zone, format);
  }
  const parts = Object.fromEntries(format.formatToParts(ms).map(({ type, value }) => [type, Number(value)]));
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = parts;
  return Date.UTC(year, month - 1, day, hour, minute, second) - Math.floor(ms / 1_000) * 1_000;
}

/** `2026-11-20T13:00:00`, as the zone's clocks show it. */
export function wallTime(ms: number, zone: string): string {
  return new Date(ms + offsetOf(ms, zone)).toISOString().slice(0, 19);
}

/** `2026-11-20T13:00:00+01:00` */
export function withOffset(ms: number, zone: string): string {
  const minutes = offsetOf(ms, zone) / 60_000;
  const sign = minutes < 0 ? '-' : '+';
  const two = (value: number) => String(value).padStart(2, '0');
  return `${wallTime(ms, zone)}${sign}${two(Math.floor(Math.abs(minutes) / 60))}:${two(Math.abs(minutes) % 60)}`;
}

export function dateIn(ms: number, zone: string): string {
  return wallTime(ms, zone).slice(0, 10);
}

export function addDays(date: string, days: number): string {
  return new Date(Date.parse(`${date}T00:00:00Z`) + days * DAY_MS).toISOString().slice(0, 10);
}

export function daysBetween(from: string, to: string): number {
  return Math.round((Date.parse(`${to}T00:00:00Z`) - Date.parse(`${from}T00:00:00Z`)) / DAY_MS);
}

/** Both ends included. */
export function datesFrom(from: string, to: string): string[] {
  return Array.from({ length: Math.max(0, daysBetween(from, to) + 1) }, (_, index) => addDays(from, index));
}
