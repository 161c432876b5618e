import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { z } from 'zod';

/** A span as it came in: what OTLP/JSON says of it, read by a reader of its own. */
export interface CollectedSpan {
  readonly traceId: string;
  readonly spanId: string;
  /** Empty for the first span of a trace. */
  readonly parentSpanId: string;
  readonly name: string;
  /** 1 internal, 2 server, 3 client, 4 producer, 5 consumer. */
  readonly kind: number;
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly links: readonly string[];
  readonly isFailed: boolean;
}

const value = z.looseObject({
  stringValue: z.string().optional(),
  intValue: z.union([z.number(), z.string()]).optional(),
  doubleValue: z.number().optional(),
  boolValue: z.boolean().optional(),
});
const attributes = z.array(z.object({ key: z.string(), value })).default([]);
const request = z.object({
  resourceSpans: z.array(
    z.object({
      resource: z.object({ attributes }),
      scopeSpans: z.array(
        z.object({
          spans: z.array(
            z.object({
              traceId: z.string().regex(/^[0-9a-f]{32}$/),
              spanId: z.string().regex(/^[0-9a-f]{16}$/),
              parentSpanId: z.string().default(''),
              name: z.string(),
              kind: z.int(),
              startTimeUnixNano: z.coerce.bigint(),
              endTimeUnixNano: z.coerce.bigint(),
              attributes,
              links: z.array(z.object({ spanId: z.string() })).default([]),
              status: z.object({ code: z.int().default(0) }).default({ code: 0 }),
            }),
          ),
        }),
      ),
    }),
  ),
});

function plain(list: z.output<typeof attributes>): Record<string, unknown> {
  return Object.fromEntries(
    list.map(({ key, value: one }) => [
      key,
      one.stringValue ??
        (one.intValue === undefined ? undefined : Number(one.intValue)) ??
        one.doubleValue ??
        one.boolValue,
    ]),
  );
}

/** A collector of traces: it takes OTLP over HTTP as JSON. */
export interface Collector {
  readonly url: string;
  readonly spans: CollectedSpan[];
  /** The facts about the service that sent them. */
  readonly resources: Record<string, unknown>[];
  /** Everything that came in, heads included. */
  text(): string;
  readonly heads: Record<string, unknown>[];
  close(): Promise<void>;
}

export async function startCollector(): Promise<Collector> {
  const spans: CollectedSpan[] = [];
  const resources: Record<string, unknown>[] = [];
  const heads: Record<string, unknown>[] = [];
  let text = '';
  const server = createServer((asked, answer) => {
    const chunks: Buffer[] = [];
    asked.on('data', (chunk: Buffer) => chunks.push(chunk));
    asked.on('end', () => {
      const body = Buffer.concat(chunks).toString('utf8');
      text += `${asked.method} ${asked.url} ${JSON.stringify(asked.headers)}\n${body}\n`;
      heads.push({ ...asked.headers, url: asked.url, method: asked.method });
      for (const { resource, scopeSpans } of request.parse(JSON.parse(body)).resourceSpans) {
        resources.push(plain(resource.attributes));
        for (const one of scopeSpans.flatMap((scope) => scope.spans)) {
          if (one.endTimeUnixNano < one.startTimeUnixNano) throw new Error(`${one.name} ends before it begins`);
          const { traceId, spanId, parentSpanId, name, kind } = one;
          spans.push({
            traceId,
            spanId,
            parentSpanId,
            name,
            kind,
            attributes: plain(one.attributes),
            links: one.links.map((link) => link.spanId),
            isFailed: one.status.code === 2,
          });
        }
      }
      answer.writeHead(200, { 'content-type': 'application/json' }).end('{}');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans,
    resources,
    heads,
    text: () => text,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
