import { addDaysWithin, daysBetween } from '../../kernel/dates.ts';
import { grouped } from '../journal/grouped.ts';
import type { OpenPosting, OpenSum } from './open.ts';
import { openSums } from './open.ts';
import type { StatementLine } from './statement/line.ts';
import { type Found, setOf } from './subsets.ts';

/**
 * The evidence for a match.
 * - `named`: the line names reservations, and their sum is its amount
 * - `booking`: the open amount of one reservation
 * - `posting`: one posting alone
 * - `batch`: the open amounts of several reservations together
 */
export type MatchedBy = 'named' | 'booking' | 'posting' | 'batch';

/** A line with the postings that it pays out. */
export interface Match {
  readonly line: StatementLine;
  readonly by: MatchedBy;
  /** True if the match rests on more than the amount. */
  readonly isSure: boolean;
  readonly account: string;
  readonly postings: readonly OpenPosting[];
}

/** A line without a match, with the reason as far as it is known. */
interface Unexplained {
  readonly line: StatementLine;
  readonly why: string;
}

/** The input of a matching. */
export interface Matching {
  readonly lines: readonly StatementLine[];
  /** Open postings by account and currency. */
  readonly open: readonly OpenAccount[];
  /** Returns the reservations that a line names. */
  named(line: StatementLine): readonly string[];
  /** Returns true if a line names the channel of a clearing account. */
  namesChannel(line: StatementLine, account: string): boolean;
  /** Number of days before a line within which its postings may lie. */
  readonly days: number;
}

/** A clearing account with its open postings in one currency. */
export interface OpenAccount {
  readonly account: string;
  readonly currency: string;
  readonly postings: readonly OpenPosting[];
}

/** Days by which a bank may book a payout before the ledger's date. */
const DAYS_AFTER = 3;

/**
 * Finds the postings of clearing accounts that each line pays out. Tries the surest evidence first, over all lines:
 * named reservations, then equal amounts within the window, then sums of several. Amounts must agree to the smallest
 * unit, and no posting is used twice. A match by amount alone is not sure. The same input gives the same result.
 */
export function matchLines(
  matching: Matching,
  turn: () => Promise<void>,
): Promise<{ matches: Match[]; unexplained: Unexplained[]; open: OpenAccount[] }> {
  return new Matcher(matching).run(turn);
}

interface Account extends OpenAccount {
  /** Open sums of reservations, by date. */
  sums: OpenSum[];
  readonly byAmount: ReadonlyMap<number, OpenPosting[]>;
  readonly byReservation: ReadonlyMap<string | null, OpenPosting[]>;
}

/** A possible match; its certainty is decided later. */
type Attempted = Omit<Match, 'isSure'>;
type Attempt = (line: StatementLine) => Attempted | string | undefined;

class Matcher {
  readonly #matching: Matching;
  readonly #matches = new Map<StatementLine, Match>();
  readonly #why = new Map<StatementLine, string>();
  readonly #taken = new Set<OpenPosting>();
  readonly #accounts: readonly Account[];

  constructor(matching: Matching) {
    this.#matching = matching;
    this.#accounts = matching.open.map((one) => ({
      ...one,
      sums: openSums(one, one.postings),
      byAmount: grouped(one.postings, ({ amount }) => amount),
      byReservation: grouped(one.postings, ({ reservation }) => reservation),
    }));
  }

  async run(turn: () => Promise<void>) {
    const lines = this.#matching.lines.toSorted((a, b) =>
      a.date === b.date ? a.line - b.line : a.date < b.date ? -1 : 1,
    );
    const attempts: Attempt[] = [
      (line) => this.#named(line),
      (line) => this.#booking(line),
      (line) => this.#posting(line),
      (line) => this.#batch(line),
    ];
    for (const attempt of attempts) {
      for (const line of lines) {
        if (this.#matches.has(line)) continue;
        const found = attempt(line);
        if (typeof found === 'string') this.#why.set(line, found);
        else if (found) this.#take(found);
        await turn();
      }
    }
    return {
      matches: lines.flatMap((line) => this.#matches.get(line) ?? []),
      unexplained: lines
        .filter((line) => !this.#matches.has(line))
        .map((line) => ({ line, why: this.#why.get(line) ?? 'nothing open comes to it' })),
      open: this.#matching.open.map((one) => ({ ...one, postings: this.#free(one.postings) })),
    };
  }

  #take(found: Attempted): void {
    const isSure = found.by === 'named' || this.#matching.namesChannel(found.line, found.account);
    const match = { ...found, isSure };
    this.#matches.set(match.line, match);
    for (const posting of match.postings) this.#taken.add(posting);
    const touched = new Set(match.postings.map(({ reservation, entryId }) => reservation ?? entryId));
    const account = this.#accounts.find((one) => one.account === match.account && one.currency === match.line.currency);
    if (!account) return;
    account.sums = account.sums.flatMap((sum) =>
      touched.has(sum.key) ? openSums(account, this.#free(sum.postings)) : [sum],
    );
  }

  #free(postings: readonly OpenPosting[]): OpenPosting[] {
    return postings.filter((posting) => !this.#taken.has(posting));
  }

  #accountsOf({ currency }: StatementLine): Account[] {
    return this.#accounts.filter((one) => one.currency === currency);
  }

  /** Returns the open sums that a line may pay out. */
  #sumsFor(line: StatementLine, { sums }: Account): OpenSum[] {
    return this.#near(line, sums);
  }

  /** Returns the items whose date is within the window of a line. */
  #near<One extends { date: string }>({ date }: StatementLine, all: readonly One[]): One[] {
    const [first, last] = [addDaysWithin(date, -this.#matching.days), addDaysWithin(date, DAYS_AFTER)];
    return all.filter((one) => one.date >= first && one.date <= last);
  }

  #named(line: StatementLine): Attempted | string | undefined {
    const codes = new Set(this.#matching.named(line));
    if (codes.size === 0) return undefined;
    for (const account of this.#accountsOf(line)) {
      const own = [...codes].flatMap((code) => account.byReservation.get(code) ?? []);
      const last = addDaysWithin(line.date, DAYS_AFTER);
      const postings = this.#free(own).filter(({ date }) => date <= last);
      const sum = postings.reduce((total, { amount }) => total + amount, 0);
      if (postings.length > 0 && sum === line.amount) return { line, by: 'named', account: account.account, postings };
    }
    const [first, ...others] = codes;
    return `it names ${first}${others.length === 0 ? '' : ` and ${others.length} more`}, whose open postings do not come to it`;
  }

  #booking(line: StatementLine): Attempted | undefined {
    const sums = this.#accountsOf(line).flatMap((account) =>
      this.#sumsFor(line, account).filter(({ amount }) => amount === line.amount),
    );
    const sum = nearest(line, sums, ({ key }) => key);
    return sum && { line, by: 'booking', account: sum.account, postings: sum.postings };
  }

  #posting(line: StatementLine): Attempted | undefined {
    const equal = this.#accountsOf(line).flatMap(({ account, byAmount }) =>
      this.#near(line, this.#free(byAmount.get(line.amount) ?? [])).map((posting) => ({
        ...posting,
        account,
        posting,
      })),
    );
    const one = nearest(line, equal, ({ entryId, posting }) => `${entryId} ${posting.posting}`);
    return one && { line, by: 'posting', account: one.account, postings: [one.posting] };
  }

  #batch(line: StatementLine): Attempted | string | undefined {
    const found = this.#accountsOf(line).map((account): [Account, Found] => [
      account,
      setOf(this.#sumsFor(line, account), line.amount),
    ]);
    const sets = found.flatMap(([{ account }, set]) => (typeof set === 'string' ? [] : [{ account, ...set }]));
    const [set, ...others] = sets;
    if (others.length > 0 || found.some(([, one]) => one === 'several')) {
      return 'several sets of bookings come to it: a file that names the bookings would show which';
    }
    return set && { line, by: 'batch', account: set.account, postings: set.sums.flatMap(({ postings }) => postings) };
  }
}

/** Returns the item nearest by date, then by name, so the choice is always the same. */
function nearest<One extends { date: string }>(line: StatementLine, all: readonly One[], name: (one: One) => string) {
  const distance = (one: One) => Math.abs(daysBetween(one.date, line.date));
  return all.toSorted((a, b) => distance(a) - distance(b) || (name(a) < name(b) ? -1 : 1))[0];
}
