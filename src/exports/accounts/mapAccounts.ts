import type { ExportPorts } from '../ports.ts';
import { latin1Text } from '../formats/writing/text.ts';
import { getFormat } from '../formats/index.ts';
import type { Needs } from '../formats/format.ts';
import { allJobs, getJob } from '../jobs/jobs.ts';
import type { Account, AccountType } from '../journal/entry.ts';
import { policyOf } from '../journal/policy.ts';
import type { BookSettings } from '../journal/settings.ts';
import type { Ask } from '../journal/ask.ts';

/** An account that a target cannot name yet, with proposals for the chart. A null proposal is not needed. */
export interface MappedAccount {
  readonly account: string;
  readonly type: AccountType;
  readonly title: string;
  /** Jobs that need it. */
  readonly jobs: readonly string[];
  readonly code: string | null;
  readonly name: string | null;
  /** True if it needs a number of a country's chart, which cannot be guessed. */
  readonly isOfCountry: boolean;
}

/**
 * The first proposed code of each type. Xero's own charts have no codes of four digits. Steps of ten leave room between
 * them.
 */
const FIRST_CODES: Readonly<Record<AccountType, number>> = {
  asset: 1_000,
  liability: 2_000,
  equity: 3_000,
  income: 4_000,
  expense: 5_000,
};
const STEP = 10;
/** Longest part of a name in characters; every program accepts it. */
const LONGEST_PART = 31;
const MOST_PARTS = 5;

interface Wanting {
  job: string;
  needs: Needs;
}

/**
 * Returns the accounts of the stored books for which a job needs more data.
 * @param job a job; without one, every job of the configuration
 * @throws UsageError if the job does not exist
 */
export async function mapAccounts(
  ports: ExportPorts,
  ask: Ask,
  { connection, job }: { connection: string; job: string | undefined },
): Promise<MappedAccount[]> {
  const wanting = wantingJobs(ports, connection, job);
  if (wanting.length === 0) return [];
  const settings = ports.bookOf(connection);
  const policy = policyOf(settings);
  const rows = await ask<{ account: string }>(ACCOUNTS, [connection]);
  const lacking = rows
    // An unmapped account must be mapped before it needs a code.
    .filter(({ account }) => !account.includes(':Unmapped:'))
    .map(({ account }) => policy.account(account))
    .map((account) => ({ account, by: wanting.filter(({ needs }) => !needs.isMet(account)) }))
    .filter(({ by }) => by.length > 0);
  const codes = codesFor(settings);
  const names = namesFor(settings);
  return lacking.map(({ account, by }) => ({
    account: account.name,
    type: account.type,
    title: account.title,
    jobs: by.map((one) => one.job),
    code: by.some(({ needs }) => needs.key === 'code') && !ofCountry(by) ? codes(account.type) : null,
    isOfCountry: ofCountry(by),
    name: by.some(({ needs }) => needs.key === 'name') ? names(account) : null,
  }));
}

function ofCountry(by: readonly Wanting[]): boolean {
  return by.some(({ needs }) => needs.ofCountry === true);
}

const ACCOUNTS = 'select account from book_accounts where connection = $1 order by account';

function wantingJobs(ports: ExportPorts, connection: string, name: string | undefined): Wanting[] {
  const jobs = name === undefined ? allJobs(ports).filter((one) => one.name in ports.jobs) : [getJob(ports, name)];
  return jobs
    .filter((one) => one.connection === null || one.connection === connection)
    .flatMap((one) => {
      const { needs } = getFormat(one.format);
      return needs ? [{ job: one.name, needs }] : [];
    });
}

/** Returns a function that gives the next free code of a type. */
function codesFor({ chart }: BookSettings): (type: AccountType) => string {
  const taken = new Set(Object.values(chart).map(({ code }) => code));
  return (type) => {
    let code = FIRST_CODES[type];
    while (taken.has(String(code))) code += STEP;
    taken.add(String(code));
    return String(code);
  };
}

/**
 * Returns a function that shortens a name to letters and parts that every program accepts. A number separates names
 * that would coincide.
 */
function namesFor({ chart }: BookSettings): (account: Account) => string {
  const taken = new Set(Object.values(chart).flatMap(({ name }) => name ?? []));
  return ({ name }) => {
    const parts = name.split(':').map((part) => latin1Text(part).replaceAll(/["?]+/g, 'X'));
    const kept = parts.slice(0, MOST_PARTS);
    const short = (suffix: string) =>
      kept.map((part, index) => {
        const behind = index === kept.length - 1 ? suffix : '';
        return `${part.slice(0, LONGEST_PART - behind.length).trim()}${behind}`;
      });
    for (let number = 1; ; number += 1) {
      const proposed = short(number === 1 ? '' : `-${number}`).join(':');
      if (taken.has(proposed)) continue;
      taken.add(proposed);
      return proposed;
    }
  };
}
