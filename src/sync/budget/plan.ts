import type { Purpose } from '../../client/gate.ts';
import type { OperationId } from '../../contract/index.ts';
import { Flow } from './flow.ts';
import type { Ledger } from './ledger.ts';

/** Requests of one kind that are made one after the other. */
export interface Work {
  operation: OperationId;
  requests: number;
}

/** The predicted end of some work. */
interface Plan {
  /** The moment when the last request is sent, or, with a time per request, answered (epoch milliseconds). */
  finishAt: number;
  /** The same for each operation. */
  finishOf: ReadonlyMap<OperationId, number>;
}

/**
 * Plans the earliest end of some work within the limits, after the requests so far.
 * @param msPerRequest the duration of one request; the next of its kind is sent after it
 */
export function planWork(
  ledger: Ledger,
  work: readonly Work[],
  purpose: Purpose,
  startMs: number,
  msPerRequest = 0,
): Plan {
  const left = merged(work);
  const plain = plainPlan(ledger, left, purpose, startMs, msPerRequest);
  const bound = Math.max(
    ...[...left].map(([operation, requests]) => finishAlone(ledger, operation, requests, purpose, startMs)),
  );
  // The plain plan usually meets the bound: then no plan is better.
  if (left.size < 2 || plain.finishAt <= bound) return plain;
  return beaten(ledger, left, purpose, { startMs, bound, plain, msPerRequest }) ?? plain;
}

/**
 * Predicts the end of work that runs in parallel, with each kind sending as soon as it may. It can be later than the
 * result of {@link planWork}: no kind yields to the one with most work left.
 */
export function foreseeWork(
  ledger: Ledger,
  work: readonly Work[],
  purpose: Purpose,
  startMs: number,
  msPerRequest: number,
): Plan {
  return plainPlan(ledger, merged(work), purpose, startMs, msPerRequest);
}

/** The shortest window. */
const STRETCH_MS = 60_000;
/** Requests of one kind that are planned at a time; the next constant is the most such steps. */
const STRIDE = 5;
const MOST_STRIDES = 20_000;

/**
 * Simulates all kinds sending as soon as they may: in parallel, a few at a time. Where answers take no time, the kind
 * that would take longest by itself goes first.
 */
function plainPlan(
  ledger: Ledger,
  work: ReadonlyMap<OperationId, number>,
  purpose: Purpose,
  startMs: number,
  msPerRequest: number,
): Plan {
  const now = ledger.copy();
  const left = new Map(work);
  const readyAt = new Map<OperationId, number>();
  const finishOf = new Map<OperationId, number>();
  const total = [...work.values()].reduce((sum, requests) => sum + requests, 0);
  const stride = msPerRequest > 0 ? Math.max(STRIDE, Math.ceil(total / MOST_STRIDES)) : Number.POSITIVE_INFINITY;
  let finishAt = startMs;
  for (let at = startMs; left.size > 0;) {
    const order = msPerRequest > 0 ? [...left.keys()] : longestFirst(now, left, purpose, at);
    for (const operation of order) {
      if ((readyAt.get(operation) ?? 0) > at) continue;
      const most = Math.min(left.get(operation) ?? 0, now.room(operation, purpose, at), stride);
      if (most <= 0) continue;
      now.take(operation, purpose, at, most);
      const lastAt = at + most * msPerRequest;
      readyAt.set(operation, lastAt);
      finishOf.set(operation, lastAt);
      finishAt = Math.max(finishAt, lastAt);
      const rest = (left.get(operation) ?? 0) - most;
      if (rest > 0) left.set(operation, rest);
      else left.delete(operation);
    }
    const free = [...left.keys()].map((operation) =>
      now.freeAt(operation, purpose, Math.max(at, readyAt.get(operation) ?? 0)),
    );
    at = Math.max(at, Math.min(...free));
  }
  return { finishAt, finishOf };
}

function merged(work: readonly Work[]): Map<OperationId, number> {
  const left = new Map<OperationId, number>();
  for (const { operation, requests } of work) {
    if (requests > 0) left.set(operation, (left.get(operation) ?? 0) + requests);
  }
  return left;
}

function longestFirst(
  ledger: Ledger,
  left: ReadonlyMap<OperationId, number>,
  purpose: Purpose,
  at: number,
): OperationId[] {
  if (left.size < 2) return [...left.keys()];
  const alone = new Map(
    [...left].map(([operation, requests]) => [operation, finishAlone(ledger, operation, requests, purpose, at)]),
  );
  return [...left.keys()].toSorted(
    (a, b) => (alone.get(b) ?? 0) - (alone.get(a) ?? 0) || (left.get(b) ?? 0) - (left.get(a) ?? 0),
  );
}

function finishAlone(ledger: Ledger, operation: OperationId, requests: number, purpose: Purpose, from: number): number {
  const copy = ledger.copy();
  let at = from;
  for (let left = requests; ;) {
    at = copy.freeAt(operation, purpose, at);
    const most = Math.min(left, copy.room(operation, purpose, at));
    copy.take(operation, purpose, at, most);
    left -= most;
    if (left <= 0) return at;
  }
}

interface Bounds {
  startMs: number;
  /** No plan can end before. */
  bound: number;
  plain: Plan;
  msPerRequest: number;
}

/**
 * Finds a plan that ends earlier than the plain one. A plan exists up to a moment if a flow does: from each kind of
 * request through its own windows, long to short, into those of the account, short to long.
 * @returns undefined if there is none
 */
function beaten(
  ledger: Ledger,
  work: ReadonlyMap<OperationId, number>,
  purpose: Purpose,
  { startMs, bound, plain, msPerRequest }: Bounds,
): Plan | undefined {
  const slots = [startMs];
  for (let at = ledger.nextSlot(startMs); at !== undefined && at < plain.finishAt; at = ledger.nextSlot(at)) {
    slots.push(at);
  }
  let low = Math.max(
    0,
    slots.findLastIndex((at) => at <= bound),
  );
  let high = slots.length;
  let best: Plan | undefined;
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    const plan = within(ledger, work, purpose, slots.slice(0, middle + 1), msPerRequest);
    if (plan) {
      best = plan;
      high = middle;
    } else {
      low = middle + 1;
    }
  }
  return best && best.finishAt < plain.finishAt ? best : undefined;
}

/** Finds a plan that sends everything in these moments, one a window; undefined if there is none. */
function within(
  ledger: Ledger,
  work: ReadonlyMap<OperationId, number>,
  purpose: Purpose,
  slots: readonly number[],
  msPerRequest: number,
): Plan | undefined {
  const flow = new Flow();
  const source = flow.node();
  const sink = flow.node();
  const nodes = new Map<string, number>();
  const nodeOf = (name: string, made: (node: number) => void) => {
    let node = nodes.get(name);
    if (node === undefined) {
      nodes.set(name, (node = flow.node()));
      made(node);
    }
    return node;
  };
  const sends: { operation: OperationId; at: number; pipe: number }[] = [];
  const most = msPerRequest > 0 ? Math.max(1, Math.floor(STRETCH_MS / msPerRequest)) : Number.MAX_SAFE_INTEGER;
  const sources = new Map(
    [...work].map(([operation, requests]) => {
      const node = flow.node();
      flow.pipe(source, node, requests);
      return [operation, node];
    }),
  );
  for (const at of slots) {
    let into = sink;
    for (const { seconds, start, room } of ledger.openings('account', purpose, at).toReversed()) {
      const below = into;
      into = nodeOf(`account ${seconds} ${start}`, (node) => flow.pipe(node, below, finite(room)));
    }
    for (const [operation, from] of sources) {
      let out = from;
      for (const { seconds, start, room } of ledger.openings(operation, purpose, at).toReversed()) {
        const above = out;
        out = nodeOf(`${operation} ${seconds} ${start}`, (node) => flow.pipe(above, node, finite(room)));
      }
      sends.push({ operation, at, pipe: flow.pipe(out, into, most) });
    }
  }
  const wanted = [...work.values()].reduce((sum, requests) => sum + requests, 0);
  if (flow.most(source, sink) < wanted) return undefined;
  const finishOf = new Map<OperationId, number>();
  for (const { operation, at, pipe } of sends) {
    const sent = flow.through(pipe);
    if (sent > 0) finishOf.set(operation, Math.max(finishOf.get(operation) ?? 0, at + sent * msPerRequest));
  }
  return { finishAt: Math.max(...finishOf.values()), finishOf };
}

function finite(room: number): number {
  return Math.min(room, Number.MAX_SAFE_INTEGER);
}
