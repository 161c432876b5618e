import { AsyncLocalStorage } from 'node:async_hooks';
import {
  type Context,
  ROOT_CONTEXT,
  type Span as LibrarySpan,
  type SpanContext,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api';
import { ExportResultCode, parseTraceParent } from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import {
  AlwaysOffSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  type ReadableSpan,
  type SpanExporter,
  type SpanProcessor,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import { type Clock, sleep } from '../../kernel/clock.ts';
import type { Logger } from '../../kernel/log.ts';
import type { Random } from '../../kernel/random.ts';
import type { Span, SpanOptions, Tracer } from '../../kernel/tracing/tracer.ts';
import { headersOf } from './headers.ts';
import type { Tracing } from './tracing.ts';

interface TracingSettings {
  readonly endpoint: string;
  readonly headers: string | null;
  readonly sample_ratio: number;
  readonly service_name: string;
  readonly version: string;
}

/** Spans that wait for the collector; further ones are dropped. */
const MOST_WAITING = 2_048;
const BATCH = 256;
const SEND_EVERY_MS = 1_000;
const SEND_LIMIT_MS = 5_000;
/** Milliseconds that the last spans have at the end. */
const LAST_MS = 3_000;
/** Causes that are remembered, the newest ones. */
const MOST_REMEMBERED = 10_000;

const KINDS = {
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
  producer: SpanKind.PRODUCER,
  consumer: SpanKind.CONSUMER,
  internal: SpanKind.INTERNAL,
} as const;

/** Starts to trace, and to send spans to a collector. A collector that is away costs nothing but spans. */
export function startTracing(
  settings: TracingSettings,
  { clock, random, log }: { clock: Clock; random: Random; log: Logger },
): Tracing {
  const outlet = new Outlet(settings, log);
  // A stranger's `traceparent` may leave spans out, and brings in no more of them than the ratio does.
  const ratio = new TraceIdRatioBasedSampler(settings.sample_ratio);
  const provider = new TracerProvider({
    resource: resourceFromAttributes({ 'service.name': settings.service_name, 'service.version': settings.version }),
    sampler: new ParentBasedSampler({
      root: ratio,
      remoteParentSampled: ratio,
      remoteParentNotSampled: new AlwaysOffSampler(),
    }),
    idGenerator: {
      generateTraceId: () => random.bytes(16).toString('hex'),
      generateSpanId: () => random.bytes(8).toString('hex'),
    },
    spanProcessors: [outlet],
  });
  return {
    tracer: new OpenTelemetryTracer(provider),
    dropped: () => outlet.dropped,
    async close() {
      const ended = new AbortController();
      const closing = provider.shutdown().catch(() => {});
      await Promise.race([closing, sleep(clock, LAST_MS, ended.signal)]);
      ended.abort();
    },
  };
}

/** Queues finished spans and sends them in batches; counts those that are lost. */
class Outlet implements SpanProcessor {
  readonly #log: Logger;
  readonly #batches: BatchSpanProcessor;
  #waiting = 0;
  #isAway = false;
  dropped = 0;

  constructor({ endpoint, headers }: TracingSettings, log: Logger) {
    this.#log = log;
    const exporter = new OTLPTraceExporter({
      url: tracesUrl(endpoint),
      headers: headersOf(headers),
      timeoutMillis: SEND_LIMIT_MS,
    });
    this.#batches = new BatchSpanProcessor({
      exporter: this.#counting(exporter),
      maxQueueSize: MOST_WAITING,
      maxExportBatchSize: BATCH,
      scheduledDelayMillis: SEND_EVERY_MS,
      exportTimeoutMillis: SEND_LIMIT_MS * 2,
    });
  }

  onStart(): void {}

  onEnd(span: ReadableSpan): void {
    if (this.#waiting >= MOST_WAITING) {
      this.dropped += 1;
      return;
    }
    this.#waiting += 1;
    this.#batches.onEnd(span);
  }

  forceFlush(): Promise<void> {
    return this.#batches.forceFlush();
  }

  shutdown(): Promise<void> {
    return this.#batches.shutdown();
  }

  #counting(exporter: SpanExporter): SpanExporter {
    return {
      export: (spans, done) => {
        this.#waiting -= spans.length;
        exporter.export(spans, (result) => {
          if (result.code === ExportResultCode.SUCCESS) this.#isAway = false;
          else this.#lost(spans.length);
          done(result);
        });
      },
      shutdown: () => exporter.shutdown(),
    };
  }

  /** Warns once, until the collector is back. The cause may repeat what the collector said, and stays out. */
  #lost(spans: number): void {
    this.dropped += spans;
    if (!this.#isAway)
      this.#log.warn({ spans }, 'the collector of traces takes no spans; they are dropped until it does');
    this.#isAway = true;
  }
}

/** Returns the address of traces at a collector that is given with the path or, as usual, without. */
export function tracesUrl(endpoint: string): string {
  const url = new URL(endpoint);
  const path = url.pathname.endsWith('/') ? url.pathname.slice(0, -1) : url.pathname;
  if (!path.endsWith('/v1/traces')) url.pathname = `${path}/v1/traces`;
  return url.href;
}

class OpenTelemetryTracer implements Tracer {
  readonly isOn = true;
  readonly #library: ReturnType<TracerProvider['getTracer']>;
  readonly #active = new AsyncLocalStorage<OpenSpan>();
  readonly #causes = new Map<string, string>();

  constructor(provider: TracerProvider) {
    this.#library = provider.getTracer('stayd');
  }

  async run<T>(name: string, options: SpanOptions, work: (span: Span) => Promise<T>): Promise<T> {
    const span = this.open(name, options);
    try {
      return await this.within(span, () => work(span));
    } catch (error) {
      span.fail(error instanceof Error ? error.constructor.name : 'error');
      throw error;
    } finally {
      span.end();
    }
  }

  open(name: string, { kind, attributes, parent, links = [] }: SpanOptions): OpenSpan {
    const linked = links.flatMap((one) => {
      const context = parseTraceParent(one);
      return context ? [{ context }] : [];
    });
    const options = { kind: KINDS[kind], links: linked, ...(attributes && { attributes: { ...attributes } }) };
    return new OpenSpan(this.#library.startSpan(name, options, this.#contextOf(parent)));
  }

  within<T>(span: Span, work: () => T): T {
    return span instanceof OpenSpan ? this.#active.run(span, work) : work();
  }

  inProgress() {
    const ids = this.#current()?.ids;
    return ids && { trace_id: ids.traceId, span_id: ids.spanId };
  }

  remember(about: string): void {
    const traceparent = this.#current()?.traceparent;
    if (traceparent === undefined) return;
    this.#causes.delete(about);
    this.#causes.set(about, traceparent);
    const [oldest] = this.#causes.size > MOST_REMEMBERED ? this.#causes.keys() : [];
    if (oldest !== undefined) this.#causes.delete(oldest);
  }

  remembered(about: string): string | undefined {
    return this.#causes.get(about);
  }

  /** Returns the span in progress. Workers that a request has woken stay in its context, and do not belong to it any more. */
  #current(): OpenSpan | undefined {
    const span = this.#active.getStore();
    return span?.isOver === false ? span : undefined;
  }

  #contextOf(parent: SpanOptions['parent']): Context {
    if (parent === undefined) {
      const current = this.#current();
      return current ? trace.setSpanContext(ROOT_CONTEXT, current.ids) : ROOT_CONTEXT;
    }
    const context = parent === null ? null : parseTraceParent(parent);
    return context ? trace.setSpanContext(ROOT_CONTEXT, { ...context, isRemote: true }) : ROOT_CONTEXT;
  }
}

class OpenSpan implements Span {
  readonly #span: LibrarySpan;
  readonly ids: SpanContext;
  isOver = false;

  constructor(span: LibrarySpan) {
    this.#span = span;
    this.ids = span.spanContext();
  }

  get traceparent(): string {
    const { traceId, spanId, traceFlags } = this.ids;
    return `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, '0')}`;
  }

  set(attributes: Record<string, string | number | boolean>): void {
    this.#span.setAttributes(attributes);
  }

  fail(type: string): void {
    this.#span.setStatus({ code: SpanStatusCode.ERROR });
    this.#span.setAttribute('error.type', type);
  }

  end(): void {
    if (this.isOver) return;
    this.isOver = true;
    this.#span.end();
  }
}
