/** Facts about a span. They name things of the program, never people, secrets, addresses with ids, or texts of callers. */
export type Attributes = Readonly<Record<string, string | number | boolean>>;

export type SpanKind = 'server' | 'client' | 'producer' | 'consumer' | 'internal';

/** One piece of work in a trace. */
export interface Span {
  /** The W3C `traceparent` that lets others continue from here; undefined if nothing is traced. */
  readonly traceparent: string | undefined;
  set(attributes: Attributes): void;
  /** Marks the span as failed. @param type a word of the program, never a message */
  fail(type: string): void;
  end(): void;
}

export interface SpanOptions {
  readonly kind: SpanKind;
  readonly attributes?: Attributes;
  /** `traceparent` of the span before; null begins a trace; left out: the span in progress. */
  readonly parent?: string | null | undefined;
  /** Further spans that led to this one, as `traceparent`. */
  readonly links?: readonly string[];
}

/** Writes down which work follows from which, and how long it takes. */
export interface Tracer {
  /** False if nothing is traced; then nothing else here does anything. */
  readonly isOn: boolean;
  /** Runs work in a span that ends with it. A failure of the work marks the span. */
  run<T>(name: string, options: SpanOptions, work: (span: Span) => Promise<T>): Promise<T>;
  /** Opens a span; the caller ends it. */
  open(name: string, options: SpanOptions): Span;
  /** Runs work within an open span, so that its spans follow from that one. */
  within<T>(span: Span, work: () => T): T;
  /** Returns the ids of the span in progress, for the log; undefined if there is none. */
  inProgress(): { readonly trace_id: string; readonly span_id: string } | undefined;
  /** Remembers for a while that the span in progress has led to this. */
  remember(about: string): void;
  /** Returns what has led to this, as `traceparent`; undefined if it is unknown. */
  remembered(about: string): string | undefined;
}

const noSpan: Span = { traceparent: undefined, set: () => {}, fail: () => {}, end: () => {} };

/** Traces nothing. */
export const noTracer: Tracer = {
  isOn: false,
  run: (_name, _options, work) => work(noSpan),
  open: () => noSpan,
  within: (_span, work) => work(),
  inProgress: () => undefined,
  remember: () => {},
  remembered: () => undefined,
};

/** What an event of the core is remembered by. */
export function aboutEvent(eventId: string): string {
  return `event ${eventId}`;
}

/** What a dirty key of the mirror is remembered by. */
export function aboutKey({ connection, resource, key }: { connection: string; resource: string; key: string }): string {
  return `key ${connection} ${resource} ${key}`;
}
