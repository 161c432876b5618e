import type { Clock, Timer } from '../../src/kernel/clock.ts';

interface Pending {
  at: number;
  seq: number;
  fn: () => void;
  owner: { alive: boolean };
}

/** The clock of one process of the world; when the process dies, none of its timers fires any more. */
export interface ProcessClock extends Clock {
  die(): void;
  readonly isAlive: boolean;
}

/** Time as the only source of progress: whatever happens, happens in a timer, and timers fire in one order. */
export interface VirtualTime {
  /** Milliseconds since the world began. */
  elapsed(): number;
  newProcess(): ProcessClock;
  /** Lets time go by in which nothing happens, as if the machine had slept: timers due meanwhile fire late. */
  skipTo(moment: number): void;
  /** Fires timer after timer until the moment has come (milliseconds since the beginning). */
  runTo(moment: number): Promise<void>;
  /** Fires timer after timer until the condition holds; gives up at the moment. @returns whether it held */
  runUntil(condition: () => boolean | Promise<boolean>, moment: number): Promise<boolean>;
}

/**
 * @param start epoch milliseconds of the beginning
 * @param isBusy whether something is under way that neither a timer nor a turn makes go on, such as a request over a
 *   real connection
 */
export function virtualTime(start: number, isBusy: () => boolean = () => false): VirtualTime {
  const heap = new Heap();
  let elapsed = 0;
  let seq = 0;

  /** Only when nothing but a timer can make anything go on. */
  function fireNext(moment: number): boolean {
    const next = heap.takeBefore(moment);
    if (!next) return false;
    elapsed = Math.max(elapsed, next.at);
    if (next.owner.alive) next.fn();
    return true;
  }

  /** Fires the next timer when nothing else can go on. @returns false if there is none until the moment */
  async function advance(moment: number): Promise<boolean> {
    while (!(await quiescence(isBusy))) {
      // Over there somebody may wait for a timer of ours, but not for one that is far away.
      fireNext(Math.min(moment, elapsed + NEAR_MS));
    }
    return fireNext(moment);
  }

  return {
    elapsed: () => elapsed,
    newProcess() {
      const owner = { alive: true };
      return {
        now: () => start + elapsed,
        monotonic: () => elapsed,
        setTimer(ms, fn): Timer {
          const timer = { at: elapsed + Math.max(0, ms), seq: (seq += 1), fn, owner };
          heap.add(timer);
          return { cancel: () => void (timer.fn = () => {}) };
        },
        die: () => void (owner.alive = false),
        get isAlive() {
          return owner.alive;
        },
      };
    },
    skipTo: (moment) => void (elapsed = Math.max(elapsed, moment)),
    async runTo(moment) {
      while (await advance(moment));
      elapsed = Math.max(elapsed, moment);
    },
    async runUntil(condition, moment) {
      for (;;) {
        await quiescence(isBusy);
        if (await condition()) return true;
        if (!(await advance(moment))) return false;
      }
    },
  };
}

/** A binary heap by moment, then by the order in which the timers were set. */
class Heap {
  readonly #items: Pending[] = [];

  add(item: Pending): void {
    const items = this.#items;
    let at = items.push(item) - 1;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (!isBefore(items[at], items[parent])) break;
      this.#swap(at, parent);
      at = parent;
    }
  }

  takeBefore(moment: number): Pending | undefined {
    const items = this.#items;
    const [first] = items;
    if (!first || first.at > moment) return undefined;
    const last = items.pop();
    if (last && items.length > 0) {
      items[0] = last;
      this.#sink();
    }
    return first;
  }

  #sink(): void {
    const items = this.#items;
    for (let at = 0; ;) {
      let least = at;
      for (const child of [2 * at + 1, 2 * at + 2]) if (isBefore(items[child], items[least])) least = child;
      if (least === at) return;
      this.#swap(at, least);
      at = least;
    }
  }

  #swap(a: number, b: number): void {
    const items = this.#items;
    [items[a], items[b]] = [items[b] as Pending, items[a] as Pending];
  }
}

function isBefore(a: Pending | undefined, b: Pending | undefined): boolean {
  if (!a || !b) return false;
  return a.at < b.at || (a.at === b.at && a.seq < b.seq);
}

const realImmediate = globalThis.setImmediate;
let outstanding = 0;

/** Counts what waits for a turn of the event loop, so that it is known when nothing does. */
function countedImmediate(fn: (...args: unknown[]) => void, ...args: unknown[]): NodeJS.Immediate {
  outstanding += 1;
  return realImmediate(() => {
    outstanding -= 1;
    fn(...args);
  });
}

/** Counts turns of the event loop from now on. @returns what ends it */
export function countTurns(): () => void {
  Object.assign(globalThis, { setImmediate: countedImmediate });
  return () => void Object.assign(globalThis, { setImmediate: realImmediate });
}

/** By these real time and real chance would come in. */
const forbidden = [
  [Date, 'now'],
  [Math, 'random'],
  [globalThis, 'setTimeout'],
  [globalThis, 'setInterval'],
] as const;

let restore: (() => void) | undefined;

/** Forbids the globals that a port stands for; frameworks need them while they start. @returns what allows them again */
export function sealWorld(): () => void {
  const kept = forbidden.map(([owner, name]) => [owner, name, Reflect.get(owner, name) as unknown] as const);
  for (const [owner, name] of forbidden) {
    Reflect.set(owner, name, () => {
      // Libraries ask for the time to bound their caches; nothing they answer depends on it.
      if (name === 'now' && isLibrary(callerFile())) return SOME_MOMENT;
      throw new Error(`${name} was called in the simulation: it must come through a port`);
    });
  }
  restore = () => {
    for (const [owner, name, original] of kept) Reflect.set(owner, name, original);
    restore = undefined;
  };
  return () => restore?.();
}

/** Lets a framework start or end in the middle of a world. */
export async function unsealed(work: () => PromiseLike<unknown>): Promise<void> {
  const wasSealed = restore !== undefined;
  restore?.();
  await work();
  if (wasSealed) sealWorld();
}

const SOME_MOMENT = Date.parse('2026-11-20T12:00:00Z');

function isLibrary(file = ''): boolean {
  return file.includes('/node_modules/');
}

/** Frames between the asking function and its caller. */
const FRAMES_ABOVE = 2;

/** The file that called the function that asks. A whole stack as text, with its source maps, would cost a hundred times as much. */
function callerFile(): string | undefined {
  const { prepareStackTrace, stackTraceLimit } = Error;
  let file: string | undefined;
  Error.stackTraceLimit = FRAMES_ABOVE + 1;
  Error.prepareStackTrace = (_error, frames) => (file = frames[FRAMES_ABOVE]?.getFileName() ?? undefined);
  // Reading the stack is what prepares it.
  void new Error().stack;
  Object.assign(Error, { prepareStackTrace, stackTraceLimit });
  return file;
}

/** Turns of the event loop in a row without anything waiting, after which nothing is under way. */
const CALM_TURNS = 2;
/** Real milliseconds after which those who are busy may wait for a timer. */
const PATIENCE_MS = 4;
/** Milliseconds within which such a timer is due. */
const NEAR_MS = 250;

/**
 * Resolves when only a timer can make anything go on.
 * @returns false if something is under way, and has been for longer than it should
 */
async function quiescence(isBusy: () => boolean): Promise<boolean> {
  const begun = performance.now();
  for (let calm = 0; calm < CALM_TURNS; calm = outstanding === 0 && !isBusy() ? calm + 1 : 0) {
    await new Promise((resolve) => realImmediate(resolve));
    if (isBusy() && performance.now() - begun > PATIENCE_MS) return false;
  }
  return true;
}
