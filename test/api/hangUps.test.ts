import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import { it } from 'node:test';
import type { Logger } from '../../src/kernel/log.ts';
import { startCore } from '../support/core.ts';

it('a caller who goes in the middle of a request is noted for debugging, and is no failure of the service', async () => {
  const said: string[] = [];
  let heard = () => {};
  const first = new Promise<void>((resolve) => (heard = resolve));
  const note = (level: string) => (fields: object, text?: string) => {
    said.push(`${level}: ${text ?? JSON.stringify(fields)}`);
    heard();
  };
  const log: Logger = { debug: note('debug'), info: note('info'), warn: note('warn'), error: note('error') };
  const core = await startCore(undefined, log);
  await core.app.listen({ port: 0, host: '127.0.0.1' });
  const { port } = core.app.server.address() as AddressInfo;
  const socket = connect(port, '127.0.0.1');
  const head = `POST /v3/properties HTTP/1.1\r\nHost: 127.0.0.1\r\nService-Access-Token: ${core.own.token}`;
  socket.write(`${head}\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n{"title":`);
  await once(core.app.server, 'request');
  socket.destroy();
  await first;
  assert.deepEqual(said, ['debug: the caller has gone in the middle of a request']);
  await core.close();
});
