import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

/** A message as the stream keeps it. */
export interface Stored {
  subject: string;
  headers: Record<string, string>;
  body: any;
}

/** What a client says when it connects. */
export type Login = Record<string, unknown>;

/**
 * Reads a stream from its beginning, over the bare protocol: no part of the client that stayd uses is in it.
 * @param login such as `{ user, pass }`
 */
export async function readStream(port: number, stream: string, login: Login = {}): Promise<Stored[]> {
  const client = await RawClient.open(port, login);
  try {
    const info = await client.request(`$JS.API.STREAM.INFO.${stream}`, '');
    if (info.error) return [];
    const { first_seq: first, last_seq: last } = info.state;
    const stored: Stored[] = [];
    for (let seq = Math.max(1, first); seq <= last; seq += 1) {
      const { message } = await client.request(`$JS.API.STREAM.MSG.GET.${stream}`, JSON.stringify({ seq }));
      stored.push({
        subject: message.subject,
        headers: headersIn(Buffer.from(message.hdrs ?? '', 'base64').toString()),
        body: JSON.parse(Buffer.from(message.data, 'base64').toString()),
      });
    }
    return stored;
  } finally {
    client.close();
  }
}

/** Creates a stream of these subjects. @param more such as the window in which it recognises repeats */
export async function makeStream(
  port: number,
  config: { name: string; subjects: string[]; max_msg_size?: number },
  login: Login = {},
): Promise<void> {
  const client = await RawClient.open(port, login);
  const answer = await client.request(`$JS.API.STREAM.CREATE.${config.name}`, JSON.stringify(config));
  client.close();
  assert.equal(answer.error, undefined, JSON.stringify(answer.error));
}

function headersIn(text: string): Record<string, string> {
  const lines = text.split('\r\n').slice(1);
  return Object.fromEntries(lines.filter((line) => line !== '').map((line) => line.split(': ', 2)));
}

class RawClient {
  readonly #socket: Socket;
  #received = Buffer.alloc(0);
  #asked = 0;

  private constructor(socket: Socket) {
    this.#socket = socket;
    socket.on('data', (chunk: Buffer) => (this.#received = Buffer.concat([this.#received, chunk])));
  }

  static async open(port: number, login: Login): Promise<RawClient> {
    const client = new RawClient(connect(port, '127.0.0.1'));
    await client.#line();
    const options = { verbose: false, pedantic: false, lang: 'none', version: '1', protocol: 1, ...login };
    client.#socket.write(`CONNECT ${JSON.stringify(options)}\r\nPING\r\n`);
    assert.equal(await client.#line(), 'PONG');
    client.#socket.write('SUB answers.* 1\r\n');
    return client;
  }

  async request(subject: string, body: string): Promise<any> {
    this.#asked += 1;
    const length = Buffer.byteLength(body);
    this.#socket.write(`PUB ${subject} answers.${this.#asked} ${length}\r\n${body}\r\n`);
    for (;;) {
      const words = (await this.#line()).split(' ');
      if (words[0] !== 'MSG') continue;
      const bytes = Number(words.at(-1));
      while (this.#received.length < bytes + 2) await this.#more();
      const answer = this.#received.subarray(0, bytes).toString();
      this.#received = this.#received.subarray(bytes + 2);
      return JSON.parse(answer);
    }
  }

  close(): void {
    this.#socket.destroy();
  }

  async #line(): Promise<string> {
    for (;;) {
      const end = this.#received.indexOf('\r\n');
      if (end >= 0) {
        const line = this.#received.subarray(0, end).toString();
        this.#received = this.#received.subarray(end + 2);
        return line;
      }
      await this.#more();
    }
  }

  async #more(): Promise<void> {
    await once(this.#socket, 'data');
  }
}
