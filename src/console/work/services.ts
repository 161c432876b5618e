import type { PlainDate } from '../../kernel/dates.ts';
import type { Look } from '../../kernel/markup/look.ts';

/** Who opens a link. */
export interface LinkHolder {
  /** Names the link among all of them. */
  readonly key: string;
  readonly name: string;
}

/** One task as the one who does it sees it. */
export interface WorkTask {
  readonly id: number;
  readonly type: string;
  readonly status: string;
  readonly date: PlainDate;
  readonly time: string | null;
  readonly property: string | null;
  readonly note: string;
  /** True if somebody leaves on the day. */
  readonly leaves: boolean;
  /** The hour until which guests leave the property, where it has one. */
  readonly leavesBy: string | null;
  /** The next arrival on the day or later. */
  readonly next: { readonly date: PlainDate; readonly people: number | null } | null;
  /** The hour from which guests come to the property, where it has one. */
  readonly comesFrom: string | null;
}

/** What stands behind the secret links of people who do tasks. */
export interface WorkServices {
  now(): number;
  /** Returns who a token belongs to; undefined if it opens nothing, or no longer. */
  workerOf(token: string): Promise<LinkHolder | undefined>;
  tasksOf(worker: LinkHolder): Promise<{ readonly today: PlainDate; readonly tasks: readonly WorkTask[] }>;
  /** Returns how the account looks on its pages; undefined: plain. */
  lookOf(worker: LinkHolder): Promise<Look | undefined>;
  /** @throws ApiError 404 for another's task */
  mark(
    worker: LinkHolder,
    change: { readonly id: number; readonly status: 'pending' | 'in_progress' | 'completed' },
  ): Promise<void>;
  /** @throws ApiError 422 for a photo that is none */
  reportDamage(
    worker: LinkHolder,
    damage: { readonly id: number; readonly text: string; readonly photo: Buffer | undefined },
  ): Promise<void>;
}
