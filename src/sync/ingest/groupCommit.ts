import { type Clock, type Timer } from '../../kernel/clock.ts';
import type { StoreKind } from '../../store/kind.ts';

/** The wait of a group on SQLite for further items; the next constant is the number of items that ends it. */
const GROUP_MS = 1;
const GROUP_ITEMS = 64;

interface Waiting<Item, Result> {
  item: Item;
  resolve(result: Result): void;
  reject(error: unknown): void;
}

/** A queue that commits items in groups. */
export interface GroupCommit<Item, Result> {
  /** Resolves when the commit that holds the item is durable. */
  add(item: Item): Promise<Result>;
  /** Resolves when nothing waits any more. */
  idle(): Promise<void>;
}

/**
 * Commits items that arrive close together in one transaction, and answers all of a group at once. SQLite: a group
 * closes after a moment or when it is full, since a commit costs the event loop its time. PostgreSQL: a group closes
 * when the commit before it is done.
 */
export function groupCommit<Item, Result>(
  kind: StoreKind,
  clock: Clock,
  commit: (items: readonly Item[]) => Promise<readonly Result[]>,
): GroupCommit<Item, Result> {
  let open: Waiting<Item, Result>[] = [];
  let timer: Timer | undefined;
  let inFlight = 0;
  let idle: (() => void)[] = [];

  function close(): void {
    timer?.cancel();
    timer = undefined;
    const group = open;
    open = [];
    inFlight += 1;
    void run(group);
  }

  async function run(group: readonly Waiting<Item, Result>[]): Promise<void> {
    try {
      const results = await commit(group.map((waiting) => waiting.item));
      group.forEach((waiting, index) => waiting.resolve(results[index] as Result));
    } catch (error) {
      for (const waiting of group) waiting.reject(error);
    } finally {
      inFlight -= 1;
      settle();
    }
  }

  function settle(): void {
    if (kind === 'postgres' && open.length > 0 && inFlight === 0) close();
    if (open.length > 0 || inFlight > 0) return;
    const waiting = idle;
    idle = [];
    for (const resolve of waiting) resolve();
  }

  return {
    add(item) {
      const result = new Promise<Result>((resolve, reject) => open.push({ item, resolve, reject }));
      if (kind === 'postgres') {
        if (inFlight === 0) close();
      } else if (open.length >= GROUP_ITEMS) {
        close();
      } else {
        timer ??= clock.setTimer(GROUP_MS, close);
      }
      return result;
    },
    idle: () =>
      open.length === 0 && inFlight === 0 ? Promise.resolve() : new Promise((resolve) => idle.push(resolve)),
  };
}
