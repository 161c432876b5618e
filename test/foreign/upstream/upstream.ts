import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { answer, type AnswerService } from './answers.ts';
import { Refusal } from './refusal.ts';
import { diceOf } from './dice.ts';
import { type Faults, noFaults } from './faults.ts';
import { type Dialect, type Row, type Show, showing } from './show.ts';
import { type TokenService, tokenService } from './tokens.ts';
import { Truth } from './truth.ts';
import { type WebhookService, webhookService } from './webhooks.ts';

export interface UpstreamOptions {
  dialect: Dialect;
  seed?: number;
  /** Milliseconds since 1970, by whichever clock drives it. */
  now(): number;
  /** Runs something later, by the same clock. */
  after(ms: number, fn: () => void): void;
}

/** A request that was answered. */
export interface Answered {
  method: string;
  /** The path with its ids taken out: `/conversations/{id}`. */
  route: string;
  path: string;
  query: string;
  at: number;
  code: number;
}

/** A rental service that shares no code with ours, with the truth in hand. */
export interface Upstream {
  readonly url: string;
  readonly token: string;
  readonly client: { id: string; secret: string };
  readonly dialect: Dialect;
  readonly truth: Truth;
  readonly show: Show;
  readonly faults: Faults;
  readonly webhooks: WebhookService;
  readonly tokens: TokenService;
  /** Every request since the last `forget`. */
  readonly asked: Answered[];
  now(): number;
  /** Requests by route; of `route` alone, where one is given. */
  count(route?: string): number;
  forget(): void;
  close(): Promise<void>;
}

const TOKEN = 'foreign-token';
const CLIENT = { id: 'partner', secret: 'partner-secret' };
const headerOf: Record<Dialect, string> = { described: 'service-access-token', hostex: 'hostex-access-token' };

export async function startUpstream({ dialect, seed = 1, now, after }: UpstreamOptions): Promise<Upstream> {
  const faults = noFaults();
  const dice = diceOf(seed);
  const truth = new Truth({ now, lagMs: () => faults.lagMs });
  const webhooks = webhookService({ dialect, faults, dice, now, after });
  const tokens = tokenService(dialect, CLIENT, () => url);
  const show = showing(truth, dialect, () => faults);
  const answering: AnswerService = { truth, dialect, faults, show, dice, webhooks, now };
  const asked: Answered[] = [];
  const server = createServer((request, response) => void serve(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    response.setHeader('date', new Date(now() + faults.clockMs).toUTCString());
    const { method = 'GET' } = request;
    const { pathname, searchParams: query } = new URL(request.url ?? '/', 'http://upstream');
    const body = readBody(await textOf(request), request.headers['content-type']);
    const path = pathname.replace(/^\/v3/, '');
    const byToken = tokens.answer(method, pathname, body);
    if (byToken) return send(response, byToken.status, byToken.body);
    const ended = (code: number) => {
      asked.push({ method, route: routeOf(path), path, query: query.toString(), at: now(), code });
    };
    try {
      if (!pathname.startsWith('/v3/')) throw new Refusal(404);
      admit(request);
      const data = answer(answering, { method, path, query, body });
      ended(200);
      send(response, 200, {
        request_id: `f-${asked.length}`,
        error_code: 200,
        error_msg: 'Done.',
        ...(data !== undefined && { data }),
      });
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      ended(error.code);
      const limits =
        error.code === 429 && faults.limited
          ? { 'retry-after': String(faults.limited.retryAfterS), 'x-ratelimit-scope': 'user' }
          : {};
      send(
        response,
        200,
        { request_id: `f-${asked.length}`, error_code: error.code, error_msg: error.message },
        limits,
      );
    }
  }

  /** The token's own header first, then the usual one. */
  function admit(request: IncomingMessage): void {
    const own = request.headers[headerOf[dialect]];
    const usual = request.headers.authorization?.replace(/^Bearer /i, '');
    const token = String(own ?? usual ?? '');
    if (now() < faults.unauthorizedUntil || !(token === TOKEN || tokens.isGood(token)))
      throw new Refusal(401, 'Invalid access token');
    if (faults.limited && now() < faults.limited.until) throw new Refusal(429, 'Too Many Attempts.');
  }

  return {
    url,
    token: TOKEN,
    client: CLIENT,
    dialect,
    truth,
    show,
    faults,
    webhooks,
    tokens,
    asked,
    now,
    count: (route) => asked.filter((one) => route === undefined || one.route === route).length,
    forget: () => void asked.splice(0),
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function routeOf(path: string): string {
  return path.replace(/^(\/conversations|\/webhooks|\/knowledge_bases|\/automation\/actions)\/[^/]+/, '$1/{id}');
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}

function readBody(text: string, type = ''): Row {
  if (text === '') return {};
  if (type.includes('x-www-form-urlencoded')) return Object.fromEntries(new URLSearchParams(text));
  try {
    const body = JSON.parse(text) as unknown;
    return typeof body === 'object' && body !== null ? (body as Row) : {};
  } catch {
    return {};
  }
}

function send(response: ServerResponse, status: number, body: Row, headers: Record<string, string> = {}): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
}
