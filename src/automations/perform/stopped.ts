import type { Reason } from '../reasons.ts';

/**
 * The consequence for a plan: `waiting` is tried again later, `awaiting_approval` needs a person, `skipped` and
 * `failed` are final.
 */
export type Stop = 'waiting' | 'awaiting_approval' | 'skipped' | 'failed';

/** Thrown when a plan cannot be carried out now. */
export class Stopped extends Error {
  override readonly name = 'Stopped';
  readonly stop: Stop;
  readonly reason: Reason;
  readonly detail: string | null;
  /** Milliseconds to wait, for `waiting`. */
  readonly waitMs: number;
  /** The text to approve, for `awaiting_approval`. */
  readonly draft: string | null;
  /** The sources of the draft. */
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
