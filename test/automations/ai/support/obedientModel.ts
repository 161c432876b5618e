import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What a model was sent. */
export interface Received {
  method: string;
  path: string;
  authorization: string | undefined;
  body: any;
  /** All of it as it came. */
  raw: string;
}

/** It says nothing, and goes on saying nothing. */
export const HANGS = Symbol('hangs');

/** What it answers: words, or an answer of its own. */
export type Obey = (
  prompt: { system: string; data: any; raw: string },
  body: any,
) => string | typeof HANGS | { status?: number; json: unknown };

/** A model that does whatever it is told, over real HTTP. */
export interface ObedientModel {
  url: string;
  received: Received[];
  obey: Obey;
  close(): Promise<void>;
}

export async function startModel(obey: Obey): Promise<ObedientModel> {
  const received: Received[] = [];
  const server: Server = createServer((request, response) => {
    void read(request).then((raw) => {
      const body: any = raw === '' ? null : JSON.parse(raw);
      const { method = '', url: path = '', headers } = request;
      received.push({ method, path, authorization: headers.authorization, body, raw });
      const answer = path.endsWith('/models')
        ? { status: 200, json: { data: [{ id: 'obedient' }] } }
        : answerOf(model.obey, body, raw);
      if (answer === HANGS) return;
      const { status, json } = answer;
      response.writeHead(status, { 'content-type': 'application/json' });
      response.end(JSON.stringify(json));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const model: ObedientModel = {
    url: `http://127.0.0.1:${port}/v1`,
    received,
    obey,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
  return model;
}

function answerOf(obey: Obey, body: any, raw: string): { status: number; json: unknown } | typeof HANGS {
  const [system, user] = body.messages as { content: string }[];
  const given = obey({ system: system?.content ?? '', data: JSON.parse(user?.content ?? '{}'), raw }, body);
  if (given === HANGS) return HANGS;
  if (typeof given !== 'string') return { status: given.status ?? 200, json: given.json };
  const message = { role: 'assistant', content: given };
  const usage = { prompt_tokens: 100, completion_tokens: 20 };
  return { status: 200, json: { choices: [{ index: 0, message, finish_reason: 'stop' }], usage } };
}

async function read(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}
