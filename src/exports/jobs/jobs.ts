import { isAbsolute, join, resolve } from 'node:path';
import { addDays, isPlainDate, type PlainDate } from '../../kernel/dates.ts';
import { UsageError } from '../../kernel/errors.ts';
import { firstAndLastDay } from '../../kernel/period.ts';
import { formats, getFormat } from '../formats/index.ts';
import type { ExportPorts, JobSetting } from '../ports.ts';

/** An export job with its name. */
export interface Job extends JobSetting {
  readonly name: string;
}

const USUAL: Omit<JobSetting, 'format'> = {
  connection: null,
  mode: 'full',
  corrections: 'reverse_and_rebook',
  period: 'last_month',
  schedule: null,
  folder: null,
  url: null,
  secret: null,
  options: {},
};

/** Returns every job: the configured ones, and one for each format without a job of that name. */
export function allJobs({ jobs }: Pick<ExportPorts, 'jobs'>): Job[] {
  const own = Object.entries(jobs).map(([name, job]) => ({ name, ...job }));
  const usual = formats.filter(({ name }) => !(name in jobs)).map(({ name }) => ({ name, format: name, ...USUAL }));
  return [...own, ...usual].toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

/**
 * Returns the job of a name.
 * @throws UsageError if no such job exists, or its configuration does not allow it to run
 */
export function getJob(ports: Pick<ExportPorts, 'jobs'>, name: string): Job {
  const jobs = allJobs(ports);
  const job = jobs.find((one) => one.name === name);
  if (!job) throw new UsageError(`there is no job "${name}"`, `jobs are ${jobs.map((one) => one.name).join(', ')}`);
  const at = `exports.jobs.${name}`;
  getFormat(job.format);
  if (job.mode === 'incremental' && job.corrections === 'restate') {
    throw new UsageError(
      `${at}.corrections: restate goes with full mode alone, since what was delivered cannot be unsaid`,
      'allowed: reverse_and_rebook, adjust',
    );
  }
  if (job.url !== null && job.secret === null) {
    throw new UsageError(`${at}.secret is missing`, 'files that go to an address are signed with it');
  }
  if (job.url !== null && job.folder !== null) throw new UsageError(`${at}: give a folder or a url, not both`);
  return job;
}

/** Returns the folder for the files of a job. */
export function folderOf(job: Job, ports: Pick<ExportPorts, 'folder'>, out: string | undefined): string {
  if (out !== undefined) return resolve(out);
  if (job.folder === null) return join(ports.folder, job.name);
  return isAbsolute(job.folder) ? job.folder : resolve(job.folder);
}

/** Returns the days of a run: the requested days, else those of the job. Accepts days, months and years. */
export function daysOf(
  { period, mode, name }: Job,
  asked: { from?: string | undefined; to?: string | undefined },
  today: PlainDate,
): { from: PlainDate; to: PlainDate } {
  // New entries may be dated on any day.
  const usual = mode === 'incremental' ? periodDays('all', today) : periodDays(period, today);
  const from = asked.from === undefined ? usual.from : dayOf('from', asked.from);
  const to = asked.to === undefined ? (asked.from === undefined ? usual.to : today) : dayOf('to', asked.to);
  if (to < from) throw new UsageError(`to: ${to} is before ${from}`, `give --from and --to of ${name} in order`);
  return { from, to };
}

const FIRST_DAY = '1970-01-01';

function periodDays(period: Job['period'], today: PlainDate): { from: PlainDate; to: PlainDate } {
  const month = today.slice(0, 7);
  const year = Number(today.slice(0, 4));
  switch (period) {
    case 'last_month': {
      const to = addDays(`${month}-01`, -1);
      return { from: `${to.slice(0, 7)}-01`, to };
    }
    case 'this_month':
      return { from: `${month}-01`, to: today };
    case 'last_year':
      return { from: `${year - 1}-01-01`, to: `${year - 1}-12-31` };
    case 'this_year':
      return { from: `${year}-01-01`, to: today };
    case 'all':
      return { from: FIRST_DAY, to: today };
  }
}

function dayOf(name: 'from' | 'to', text: string): PlainDate {
  const [first, last] = firstAndLastDay(text);
  if (!isPlainDate(first)) {
    throw new UsageError(`${name}: "${text}" is no date, month or year such as 2027-03-05, 2027-03 or 2027`);
  }
  return name === 'from' ? first : last;
}
