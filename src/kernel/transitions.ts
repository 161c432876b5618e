/** One row of a state machine. Null means that the thing does not exist: not created yet, or deleted. */
interface Transition<State extends string = string> {
  /** The states in which it is legal. */
  readonly from: State | null | readonly (State | null)[];
  /** The event: a verb. */
  readonly trigger: string;
  readonly to: State | null;
  readonly note?: string;
}

/** A state machine as data. */
export interface Machine<State extends string = string, Row extends Transition<State> = Transition<State>> {
  /** The subject of the machine, in the singular. */
  readonly name: string;
  /** One line of meaning. */
  readonly is: string;
  /** The state before the first row, in the words of messages. */
  readonly before: string;
  /** Each state with one line of meaning. */
  readonly states: Readonly<Record<State, string>>;
  /** States from which no row leads to another one; written out, and checked against the rows by a test. */
  readonly final: readonly NoInfer<State>[];
  readonly rows: readonly Row[];
}

export type StateOf<M extends Machine> = keyof M['states'] & string;
export type TriggerOf<M extends Machine> = M['rows'][number]['trigger'];
/** The targets of a trigger. */
export type TargetOf<M extends Machine, Trigger> = Extract<M['rows'][number], { trigger: Trigger }>['to'];

/** Thrown for a trigger that the table of its machine does not hold in that state: a mistake of the program. */
export class IllegalTransition extends Error {
  override readonly name = 'IllegalTransition';

  constructor(machine: Machine, from: string | null, trigger: string) {
    super(`the ${machine.name} is ${from ?? machine.before}: it cannot ${trigger}`);
  }
}

/** Declares a machine. Its states and triggers are literal types from here on, and no row can name another state. */
export function machine<State extends string, const Row extends Transition<NoInfer<State>>>(
  declared: Machine<State, Row>,
): Machine<State, Row> {
  return declared;
}

/** One row for each source; the form in which triggers are looked up. */
interface Arrow<M extends Machine> {
  readonly from: StateOf<M> | null;
  readonly trigger: TriggerOf<M>;
  readonly to: StateOf<M> | null;
  readonly note: string;
}

/** Returns the rows with one source each, in the order of the table. */
export function arrowsOf<M extends Machine>({ rows }: M): Arrow<M>[] {
  return rows.flatMap(({ from, trigger, to, note = '' }) =>
    sourcesIn(from).map((source) => ({ from: source, trigger, to, note }) as Arrow<M>),
  );
}

function sourcesIn(from: Transition['from']): readonly (string | null)[] {
  return typeof from === 'string' || from === null ? [from] : from;
}

function rowFor(machine: Machine, from: string | null, trigger: string): Transition | undefined {
  return machine.rows.find((row) => row.trigger === trigger && sourcesIn(row.from).includes(from));
}

/** Returns true if a trigger is legal in a state. */
export function mayGo<M extends Machine>(machine: M, from: StateOf<M> | null, trigger: TriggerOf<M>): boolean {
  return rowFor(machine, from, trigger) !== undefined;
}

/** Returns the state that a trigger leads to; null if the thing is gone. @throws IllegalTransition */
export function next<M extends Machine, Trigger extends TriggerOf<M>>(
  machine: M,
  from: StateOf<M> | null,
  trigger: Trigger,
): TargetOf<M, Trigger> {
  const row = rowFor(machine, from, trigger);
  if (!row) throw new IllegalTransition(machine, from, trigger);
  return row.to as TargetOf<M, Trigger>;
}

/**
 * Returns the states in which a trigger is legal, in the order of the table; guarded updates use them as conditions.
 */
export function sourcesOf<M extends Machine>(machine: M, trigger: TriggerOf<M>): StateOf<M>[] {
  return arrowsOf(machine).flatMap((row) => (row.trigger === trigger && row.from !== null ? row.from : []));
}

/** Returns every trigger once, in the order of the table. */
export function triggersOf<M extends Machine>({ rows }: M): TriggerOf<M>[] {
  return [...new Set(rows.map(({ trigger }) => trigger as TriggerOf<M>))];
}

/** Returns every state, in the order of declaration. */
export function statesOf<M extends Machine>({ states }: M): StateOf<M>[] {
  return Object.keys(states) as StateOf<M>[];
}

/** Returns the states from which no row leads to another one; a thing in such a state may still be deleted. */
export function finalStates<M extends Machine>(machine: M): StateOf<M>[] {
  const left = new Set(arrowsOf(machine).flatMap(({ from, to }) => (to === null || to === from ? [] : from)));
  return statesOf(machine).filter((state) => !left.has(state));
}

/** Draws a machine as a Mermaid state diagram; triggers between the same two states share an arrow. */
export function drawMermaid(machine: Machine): string {
  const labels = new Map<string, string[]>();
  for (const { from, trigger, to } of arrowsOf(machine)) {
    const arrow = `${from ?? '[*]'} --> ${to ?? '[*]'}`;
    labels.set(arrow, [...(labels.get(arrow) ?? []), trigger]);
  }
  const lines = [...labels].map(([arrow, triggers]) => `  ${arrow}: ${triggers.join(', ')}`);
  return ['stateDiagram-v2', ...lines].join('\n');
}

/** Draws the states and the rows of a machine as two tables in Markdown. */
export function drawTable(machine: Machine): string {
  const ends = new Set(finalStates(machine));
  const states = Object.entries(machine.states).map(([state, is]) => [
    code(state),
    ends.has(state) ? `${is} Final.` : is,
  ]);
  const rows = machine.rows.map(({ from, trigger, to, note = '' }) => {
    const sources = sourcesIn(from).map((source) => (source === null ? '–' : code(source)));
    return [sources.join(', '), code(trigger), to === null ? '–' : code(to), note];
  });
  return [...table(['state', 'meaning'], states), '', ...table(['from', 'trigger', 'to', ''], rows)].join('\n');
}

function code(word: string): string {
  return `\`${word}\``;
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string[] {
  return [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`.replaceAll('|  |', '| |'));
}
