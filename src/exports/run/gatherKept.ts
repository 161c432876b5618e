import { openSorter } from '../../store/queries/sorter.ts';
import { holdersOf } from '../books/accounts.ts';
import { keptEntries } from '../books/keptEntries.ts';
import { keptSums } from '../books/keptSums.ts';
import { addKept } from '../books/keptTally.ts';
import { adjusted, type BookedEntry } from '../journal/book.ts';
import { Funds } from '../journal/funds.ts';
import { type Ask, readAccount } from '../journal/read/readFacts.ts';
import { Totals } from '../journal/totals.ts';
import { collect } from './collect.ts';
import { gathered, type Gathered, type Gathering, sort } from './gather.ts';
import { SoftDigests } from './softDigests.ts';
import { Tally } from './tally.ts';

/**
 * Gathers the same as {@link gather} from the stored books, and books only what has changed since. Its time depends on
 * the days and on the changes, not on the length of the books.
 * @param stale keys of the groups whose stored rows may not hold any more, in order
 */
export async function gatherKept(ask: Ask, asked: Gathering, stale: readonly string[]): Promise<Gathered> {
  const { connection, from } = asked;
  const account = await readAccount(ask, connection);
  const sorter = openSorter();
  try {
    const [totals, tally, soft] = [new Totals(), new Tally(), new SoftDigests(asked.softPeriods)];
    const until = asked.to < asked.today ? asked.to : asked.today;
    const shown = new Shown(asked, ({ booked, group }) => {
      totals.add(booked.entry, from);
      if (booked.entry.date >= from) sort(sorter, booked, group);
    });
    for (const { account: name, currency, amount } of await keptSums(ask, connection, {
      before: from,
      without: stale,
    })) {
      totals.open(name, currency, amount);
    }
    const isStale = new Set(stale);
    for await (const { group, ...booked } of keptEntries(ask, connection, { from, to: until })) {
      if (isStale.has(group)) continue;
      soft.add([booked], until);
      shown.add(booked, group);
    }
    await addKept(tally, ask, connection, { until, without: stale });
    const booked = collect(ask, { ...asked, zone: account.zone, only: stale });
    for await (const { group, canonical, outcomes, exceptions } of booked) {
      tally.add(group.key, outcomes, exceptions, until);
      soft.add(canonical, until);
      for (const one of canonical) if (one.entry.date <= until) shown.add(one, group.key);
    }
    shown.end();
    const funds = new Funds(holdersOf(asked.policy));
    for (const { account: name, currency, closing } of totals.balances()) funds.addSum(name, currency, closing);
    tally.add('', [], funds.exceptions(until), until);
    return {
      ...gathered(asked, { account, sorter, totals, tally }),
      soft: soft.result(),
      unconfirmed: asked.unconfirmed.result(),
    };
  } catch (error) {
    sorter.close();
    throw error;
  }
}

interface Taken {
  readonly booked: BookedEntry;
  readonly group: string;
}

/** Hands entries on as the target should receive them. What corrects another entry waits for the rest of its group. */
class Shown {
  readonly #asked: Gathering;
  readonly #take: (taken: Taken) => void;
  readonly #waiting = new Map<string, BookedEntry[]>();

  constructor(asked: Gathering, take: (taken: Taken) => void) {
    this.#asked = asked;
    this.#take = take;
  }

  add(booked: BookedEntry, group: string): void {
    const { corrects, postings } = booked.entry;
    if (this.#asked.corrections !== 'adjust') return this.#take({ booked, group });
    if (corrects === null) return postings.length > 0 ? this.#take({ booked, group }) : undefined;
    const waiting = this.#waiting.get(group);
    if (waiting) waiting.push(booked);
    else this.#waiting.set(group, [booked]);
  }

  end(): void {
    const { connection, lockedThrough } = this.#asked;
    const state = { connection, lockedThrough, firstOpenDay: null };
    for (const [group, entries] of this.#waiting) {
      for (const booked of adjusted(state, entries)) this.#take({ booked, group });
    }
  }
}
