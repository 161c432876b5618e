import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

export type Fields = Record<string, unknown>;
type Envelope = Fields & { data?: unknown };

/** Names that lead to a field, lists left out. */
export type Path = readonly string[];

/** What stands before a service, remembers its answers, and takes fields out of them. */
export interface Recording {
  readonly url: string;
  /** The answers so far: the rows in each, by the request. */
  readonly answers: ReadonlyMap<string, Fields>;
  /** Which fields are missing from an answer, by its request. */
  bend: (request: string) => readonly Path[];
  close(): Promise<void>;
}

export async function record(upstream: string): Promise<Recording> {
  const known = new Map<string, Envelope>();
  const answers = new Map<string, Fields>();
  const server = createServer((request, response) => {
    void answer(request).then((body) => {
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));

  async function answer(request: IncomingMessage): Promise<Envelope> {
    const body = await textOf(request);
    const name = `${request.method} ${request.url} ${body}`;
    // Whoever asks by another header may not be let in.
    const header = Object.keys(request.headers).find((one) => one.endsWith('access-token'));
    const own = known.get(`${header} ${name}`) ?? (await ask(request, body));
    known.set(`${header} ${name}`, own);
    if (isFields(own.data)) answers.set(name, own.data);
    let { data } = own;
    for (const path of recording.bend(name)) if (isFields(data)) data = without(data, path);
    return { ...own, data };
  }

  async function ask({ method = 'GET', url = '/', headers }: IncomingMessage, body: string): Promise<Envelope> {
    const passed = Object.entries(headers).filter(([name]) => !['host', 'connection', 'content-length'].includes(name));
    const asked = await fetch(upstream + url, {
      method,
      headers: Object.fromEntries(passed.map(([name, value]) => [name, String(value)])),
      ...(body !== '' && { body }),
    });
    return (await asked.json()) as Envelope;
  }

  const recording: Recording = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    answers,
    bend: () => [],
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return recording;
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}

export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Every field of an answer, each once however many rows have it. Lists of rows alone are no fields. */
export function fieldsOf(data: Fields): Path[] {
  const found = new Map<string, Path>();
  const look = (value: unknown, path: Path): void => {
    if (Array.isArray(value)) for (const one of value) look(one, path);
    if (!isFields(value)) return;
    for (const [name, one] of Object.entries(value)) {
      const own = [...path, name];
      found.set(own.join('.'), own);
      look(one, own);
    }
  };
  look(data, []);
  return [...found.values()];
}

/** The same answer without a field, in all its rows. */
export function without(data: Fields, path: Path): Fields {
  const bent = structuredClone(data);
  const take = (value: unknown, [name = '', ...rest]: Path): void => {
    if (Array.isArray(value)) for (const one of value) take(one, [name, ...rest]);
    if (!isFields(value)) return;
    if (rest.length === 0) delete value[name];
    else take(value[name], rest);
  };
  take(bent, path);
  return bent;
}
