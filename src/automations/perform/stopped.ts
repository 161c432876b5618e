import type { Reason } from '../reasons.ts';

/** waiting: looked at again later · awaiting_approval: a person decides · skipped, failed: for good. */
export type Stop = 'waiting' | 'awaiting_approval' | 'skipped' | 'failed';

/** Why a plan is not carried out now. */
export class Stopped extends Error {
  override readonly name = 'Stopped';
  readonly stop: Stop;
  readonly reason: Reason;
  readonly detail: string | null;
  /** For what waits: how long. */
  readonly waitMs: number;
  /** For what awaits approval: what would be said. */
  readonly draft: string | null;
  /** What the draft was made from. */
  readonly sources: readonly object[] | null;

  constructor(
    stop: Stop,
    reason: Reason,
    more: { detail?: string | null; waitMs?: number; draft?: string | null; sources?: readonly object[] | null } = {},
  ) {
    super(`${stop}: ${reason}`);
    this.stop = stop;
    this.reason = reason;
    this.detail = more.detail ?? null;
    this.waitMs = more.waitMs ?? 60_000;
    this.draft = more.draft ?? null;
    this.sources = more.sources ?? null;
  }
}
