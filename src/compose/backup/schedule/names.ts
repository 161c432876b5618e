import { dateIn, dayNumber, type Instant, instantOf, msOf, type PlainDate } from '../../../kernel/dates.ts';

/** A backup at its place, by its name. */
export interface StoredBackup {
  name: string;
  made_at: Instant;
}

/** How long backups stay: the last of so many days, weeks and months that have one. */
export interface Keep {
  days: number;
  weeks: number;
  months: number;
}

const NAME = /^stayd-(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z\.(?:tar\.gz|dump)$/;

/** Returns the name of a backup that is made at a moment (epoch milliseconds). */
export function backupName(ms: number, ending: 'tar.gz' | 'dump'): string {
  return `stayd-${instantOf(ms).slice(0, 19).replaceAll(/[-:]/g, '')}Z.${ending}`;
}

/** Returns the backups among names, the newest first. Other files are none of ours. */
export function backupsAmong(names: readonly string[]): StoredBackup[] {
  return names
    .flatMap((name) => {
      const [, year, month, day, hour, minute, second] = NAME.exec(name) ?? [];
      if (year === undefined) return [];
      return [{ name, made_at: `${year}-${month}-${day}T${hour}:${minute}:${second}.000Z` as Instant }];
    })
    .toSorted((a, b) => (a.made_at < b.made_at ? 1 : -1));
}

/**
 * Returns the backups that nobody keeps: all but the newest of each of the last days, weeks (from Monday) and months
 * that have any. The newest of all stays in every case.
 * @param backups the newest first
 */
export function noLongerKept(backups: readonly StoredBackup[], keep: Keep, zone: string): StoredBackup[] {
  const kept = new Set(backups.slice(0, 1));
  const periods: [count: number, periodOf: (day: PlainDate) => string | number][] = [
    [keep.days, (day) => day],
    // 1970-01-05 was a Monday.
    [keep.weeks, (day) => Math.floor((dayNumber(day) - 4) / 7)],
    [keep.months, (day) => day.slice(0, 7)],
  ];
  for (const [count, periodOf] of periods) {
    const newest = new Map<string | number, StoredBackup>();
    for (const backup of backups) {
      const period = periodOf(dateIn(zone, msOf(backup.made_at)));
      if (!newest.has(period)) newest.set(period, backup);
    }
    for (const backup of [...newest.values()].slice(0, count)) kept.add(backup);
  }
  return backups.filter((backup) => !kept.has(backup));
}
