import type { SimCore } from '../../test/sim/core.ts';
import type { SimDaemon } from '../../test/sim/daemon.ts';
import {
  type LossLine,
  type LossRecords,
  lossTruth,
  reported,
  subjectNamed,
  subjectOf,
} from '../../test/sim/lossTruth.ts';
import { ReadLog } from '../../test/sim/readLog.ts';
import type { Served } from '../../test/sim/network.ts';

/** What the daemon said of lost events, against what was lost. */
export interface LossVerdict {
  dropped: number;
  /** Losses that were to be found: an event was dropped, and a scan met what it should have told. */
  expected: readonly LossLine[];
  /** Said, and nothing of the kind was lost. */
  madeUp: readonly LossLine[];
  /** Lost, and not said. */
  unsaid: readonly LossLine[];
}

/** Follows reads and events from a moment on, to know which losses are to be reported. */
export class LossWatch {
  readonly reads = new ReadLog((subject) => this.#subjects.has(subject));
  /** What events were queued about: nobody asks how anything else was read. */
  readonly #subjects = new Set<string>();
  #begun: { core: SimCore; event: string; seq: number } | undefined;
  #newest = '';

  /** From now on events are lost. */
  begin(core: SimCore, daemon: SimDaemon): void {
    const event = core.database.prepare<[], string>('select max(event_id) from outbox').pluck().get() ?? '';
    const seq = daemon.store.database.prepare<[], number>('select max(seq) from changes').pluck().get() ?? 0;
    this.#begun = { core, event, seq };
    this.#newest = event;
  }

  heard(served: Served, at: number): void {
    this.#learn();
    this.reads.heard(served, at);
  }

  judge(daemon: SimDaemon): LossVerdict {
    const records = this.#records(daemon);
    const expected = lossTruth(records).expected;
    const said = reported(records);
    const [wanted, known] = [new Set(expected), new Set(said)];
    return {
      dropped: records.emitted.filter(({ outcome }) => outcome === 'dropped').length,
      expected,
      madeUp: said.filter((line) => !wanted.has(line)).map((line) => explained(line, records)),
      unsaid: expected.filter((line) => !known.has(line)).map((line) => explained(line, records)),
    };
  }

  #learn(): void {
    if (!this.#begun) return;
    const { core } = this.#begun;
    const rows = core.database
      .prepare<[string, string], { event_id: string; body: string }>(
        'select event_id, body from outbox where account_id = ? and event_id > ? order by event_id',
      )
      .all(core.owner.account.account_id, this.#newest);
    for (const { event_id, body } of rows) {
      this.#newest = event_id;
      this.#subjects.add(subjectNamed(JSON.parse(body) as Record<string, unknown>));
    }
  }

  #records(daemon: SimDaemon): LossRecords {
    if (!this.#begun) throw new Error('nothing was followed');
    const { core, event, seq } = this.#begun;
    const mirror = daemon.store.database;
    return {
      reads: this.reads,
      emitted: core.database
        .prepare<[string, string], LossRecords['emitted'][number]>(
          `select o.event_id, o.event, o.body, d.outcome from outbox o
           join deliveries d on d.account_id = o.account_id and d.event_id = o.event_id
           where o.account_id = ? and o.event_id > ?`,
        )
        .all(core.owner.account.account_id, event),
      inbox: mirror
        .prepare<[string], LossRecords['inbox'][number]>(
          `select event_id, received_at from inbox where connection = 'local' and event_id > ?`,
        )
        .all(event),
      changes: mirror
        .prepare<[number], LossRecords['changes'][number]>(
          `select * from changes where connection = 'local' and seq > ? order by seq`,
        )
        .all(seq),
      // All that it ever said: before anything was lost, nothing was to be said.
      losses: mirror
        .prepare<[], LossRecords['losses'][number]>('select * from lost_events order by seq, event, sub_event')
        .all(),
    };
  }
}

/** A line with its change, the events about the same and the reads of it: what one needs to know who is right. */
function explained(line: LossLine, { changes, emitted, inbox, losses, reads }: LossRecords): string {
  const seq = Number(line.split(' ', 1)[0]);
  const change = changes.find((one) => one.seq === seq);
  if (!change) return `${line}: a change of before anything was lost`;
  const subject = subjectOf(change);
  const events = emitted
    .filter(({ body }) => subjectNamed(JSON.parse(body) as Record<string, unknown>) === subject)
    .map((one) => ({ ...one, came: inbox.find(({ event_id }) => event_id === one.event_id)?.received_at }));
  const own = { change, losses: losses.filter((loss) => loss.seq === seq), events };
  return `${line}: ${JSON.stringify({ ...own, reads: reads.of(change.resource, subject) })}`;
}
