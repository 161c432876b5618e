import {
  type Compilable,
  type CompiledQuery,
  DeleteQueryNode,
  DeleteResult,
  InsertQueryNode,
  InsertResult,
  type Kysely,
  type OperationNode,
  type QueryResult,
  RawNode,
  SelectQueryNode,
  TableNode,
  UpdateQueryNode,
  UpdateResult,
} from 'kysely';
import { type ChangeNumbers, changeNumbersOf } from '../changes.ts';
import { kindOf, type StoreKind } from '../kind.ts';
import { executeShortly } from '../shortcut.ts';

/**
 * Builds and compiles a frequent query once instead of at every call (22,000 → 113,000 single rows a second). Give the
 * argument's type where the query is built; `arg` may only be passed to kysely as a value, since at build time each of
 * its fields is a placeholder:
 *
 *     const stayOf = prepared((db: Kysely<Core>, arg: { account: AccountId; code: StayCode }) =>
 *       db.selectFrom('stays').selectAll().where('account', '=', arg.account).where('code', '=', arg.code));
 *     const [stay] = await stayOf(trx, { account, code });
 *
 * Returns the result of kysely's own `execute`. Throws if an argument is not a parameter of the query, so an argument
 * that is folded into the SQL, or forgotten, fails at the first call.
 */
export function prepared<DB, Args extends object, O>(
  build: (db: Kysely<DB>, arg: Args) => Compilable<O>,
): (db: Kysely<DB>, args: Args) => Promise<O[]> {
  const plans = new Map<StoreKind, Plan<O>>();
  return async (db, args) => {
    const kind = kindOf(db);
    let plan = plans.get(kind);
    if (!plan) plans.set(kind, (plan = makePlan(build, db, args)));
    return run(plan, db, args);
  };
}

/** Compiled combinations of arguments, for each query and database. */
const MOST_PLANS = 256;

/**
 * Prepares a frequent query whose form depends on the present arguments; undefined and null count as absent. It is
 * built once for each combination, and `arg` then returns undefined for absent ones.
 *
 *     const stays = preparedByArguments((db: Kysely<Core>, arg: { account: AccountId; status?: string | undefined }) => {
 *       const query = db.selectFrom('stays').selectAll().where('account', '=', arg.account);
 *       return arg.status === undefined ? query : query.where('status', '=', arg.status);
 *     });
 */
export function preparedByArguments<DB, Args extends object, O>(
  build: (db: Kysely<DB>, arg: Args) => Compilable<O>,
): (db: Kysely<DB>, args: Args) => Promise<O[]> {
  const chosen = plansByArguments(build);
  return async (db, args) => {
    const { plan, given } = chosen(db, args);
    return run(plan, db, given);
  };
}

/** Returns the plan for the present arguments, and these. `key` names the plan. */
function plansByArguments<DB, Args extends object, O>(build: (db: Kysely<DB>, arg: Args) => Compilable<O>) {
  const plans = new Map<string, Plan<O>>();
  return (db: Kysely<DB>, args: Args) => {
    const given: Record<string, unknown> = {};
    let key: string = kindOf(db);
    for (const [name, value] of Object.entries(args)) {
      if (value == null) continue;
      given[name] = value;
      key += ` ${name}`;
    }
    let plan = plans.get(key);
    if (!plan) {
      if (plans.size >= MOST_PLANS) plans.clear();
      plans.set(key, (plan = makePlan(build, db, given as Args, true)));
    }
    return { plan, given, key };
  };
}

/** Results kept of one query, for each database. */
const MOST_KEPT = 1_000;

/**
 * Prepares a query as {@link preparedByArguments}, and keeps its results: it runs again only when one of the tables that
 * it names has changed, by whomever. The rows are shared and must not be changed. Where the database cannot cheaply say
 * what has changed, and in a transaction, the query runs each time.
 */
export function preparedKept<DB, Args extends object, O>(
  build: (db: Kysely<DB>, arg: Args) => Compilable<O>,
): (db: Kysely<DB>, args: Args) => Promise<readonly O[]> {
  const chosen = plansByArguments(build);
  const all = new WeakMap<ChangeNumbers, Map<string, { at: string; rows: readonly O[] }>>();
  return async (db, args) => {
    const { plan, given, key } = chosen(db, args);
    const numbers = changeNumbersOf(db);
    if (!numbers || plan.tables === null) return run(plan, db, given);
    let kept = all.get(numbers);
    if (!kept) all.set(numbers, (kept = new Map()));
    const question = `${key} ${JSON.stringify(given)}`;
    // Taken before the query runs: what changes in between makes the next call run it again.
    const at = numbers.of(plan.tables);
    const known = kept.get(question);
    if (known?.at === at) return known.rows;
    const rows = await run(plan, db, given);
    if (kept.size >= MOST_KEPT) kept.clear();
    kept.set(question, { at, rows });
    return rows;
  };
}

/** Prepares the query that counts a list, as {@link preparedKept}: a total is kept until the list changes. */
export function preparedTotal<DB, Args extends object>(
  build: (db: Kysely<DB>, arg: Args) => Compilable<{ total: number }>,
): (db: Kysely<DB>, args: Args) => Promise<number> {
  const count = preparedKept(build);
  return async (db, args) => (await count(db, args))[0]?.total ?? 0;
}

interface Plan<O> {
  readonly query: CompiledQuery<O>;
  readonly slots: readonly Slot[];
  /** True if the result is its rows, unchanged. */
  readonly isRead: boolean;
  /** The tables that it names; null if it holds SQL of our own that may read others, or the time. */
  readonly tables: readonly string[] | null;
}

async function run<DB, O>({ query, slots, isRead }: Plan<O>, db: Kysely<DB>, args: object): Promise<O[]> {
  const result = await executeShortly<DB, O>(db, { ...query, parameters: fill(query.parameters, slots, args) });
  return isRead ? result.rows : rowsOf(query, result);
}

/** The place of an argument among the parameters. */
interface Slot {
  readonly index: number;
  readonly name: string;
}

/** Represents an argument until the compiled parameters reveal its place, by identity. */
class Placeholder {
  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }

  [Symbol.toPrimitive](): never {
    throw new Error(`argument ${this.name} of a prepared query has no value yet: pass it to kysely as it is`);
  }
}

function makePlan<DB, Args extends object, O>(
  build: (db: Kysely<DB>, arg: Args) => Compilable<O>,
  db: Kysely<DB>,
  args: Args,
  mayLack = false,
): Plan<O> {
  const placeholders = new Map<string, Placeholder>();
  // A copy, since a proxy may not return another value for a frozen property.
  const stand = new Proxy(
    { ...args },
    {
      get(given, name) {
        const key = String(name);
        if (mayLack && !(key in given)) return undefined;
        let placeholder = placeholders.get(key);
        if (!placeholder) placeholders.set(key, (placeholder = new Placeholder(key)));
        return placeholder;
      },
    },
  );
  const query = build(db, stand).compile();
  const slots = query.parameters.flatMap((parameter, index) =>
    parameter instanceof Placeholder ? [{ index, name: parameter.name }] : [],
  );
  for (const name of new Set([...Object.keys(args), ...placeholders.keys()])) {
    if (!slots.some((slot) => slot.name === name)) {
      throw new Error(`argument ${name} is not a parameter of the prepared query ${query.sql}`);
    }
  }
  return { query, slots, isRead: SelectQueryNode.is(query.query), tables: tablesIn(query.query) };
}

/** What SQL of our own must not hold for its result to depend on the named tables and the parameters alone. */
const OTHER_SOURCES = /\b(?:from|join|current_\w+|now|random|date|time|datetime|julianday|strftime|changes)\b/i;

/** Returns the names of all tables in a query; null if they do not decide its result. */
function tablesIn(root: OperationNode): string[] | null {
  const tables = new Set<string>();
  let decide = true;
  const visit = (value: unknown): void => {
    if (Array.isArray(value)) value.forEach(visit);
    if (typeof value !== 'object' || value === null || Array.isArray(value) || value instanceof Placeholder) return;
    const node = value as OperationNode;
    if (TableNode.is(node)) tables.add(node.table.identifier.name);
    if (RawNode.is(node)) decide &&= !node.sqlFragments.some((text) => OTHER_SOURCES.test(text));
    Object.values(value).forEach(visit);
  };
  visit(root);
  return decide ? [...tables].toSorted() : null;
}

function fill(parameters: readonly unknown[], slots: readonly Slot[], args: object): unknown[] {
  const values = [...parameters];
  for (const { index, name } of slots) {
    const value: unknown = Reflect.get(args, name);
    if (value === undefined) throw new Error(`argument ${name} of a prepared query is missing`);
    values[index] = value;
  }
  return values;
}

/** Follows kysely's builders: a change without `returning` returns its result object. */
function rowsOf<O>({ query }: CompiledQuery<O>, { rows, insertId, numAffectedRows = 0n }: QueryResult<O>): O[] {
  const changed =
    InsertQueryNode.is(query) && !query.returning
      ? new InsertResult(insertId, numAffectedRows)
      : UpdateQueryNode.is(query) && !query.returning
        ? new UpdateResult(numAffectedRows, undefined)
        : DeleteQueryNode.is(query) && !query.returning
          ? new DeleteResult(numAffectedRows)
          : undefined;
  // kysely's type of such a query says the same.
  return changed ? [changed as O] : rows;
}
