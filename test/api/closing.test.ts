import assert from 'node:assert/strict';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { describe, it } from 'node:test';
import { type Envelope, startCore, type TestCore } from '../support/core.ts';

/** A connection whose request has begun and not ended: the server waits for the rest of it while it closes. */
async function begin({ app }: TestCore, headers: string): Promise<Socket> {
  const { port } = app.server.address() as AddressInfo;
  const socket = connect(port, '127.0.0.1');
  const connected = new Promise((resolve) => app.server.once('connection', resolve));
  socket.write(`GET /v3/accounts/me HTTP/1.1\r\nHost: 127.0.0.1\r\n${headers}`);
  await connected;
  return socket;
}

async function end(socket: Socket): Promise<{ head: string; body: Envelope }> {
  let text = '';
  socket.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
  socket.write('\r\n');
  await new Promise((resolve) => socket.once('close', resolve));
  const [head = '', body = ''] = text.split('\r\n\r\n');
  return { head, body: JSON.parse(body) as Envelope };
}

describe('a request that comes while the service stops', () => {
  it('is answered in the envelope: HTTP 200 and 503; the connection ends. Who is a stranger stays one', async () => {
    const core = await startCore();
    await core.app.listen({ port: 0, host: '127.0.0.1' });
    const known = await begin(core, `Service-Access-Token: ${core.own.token}\r\n`);
    const stranger = await begin(core, '');
    // The rest of the closing waits for the two.
    const closed = core.close();
    await new Promise((turn) => setImmediate(turn));
    const [refused, unknown] = [await end(known), await end(stranger)];
    await closed;
    for (const { head } of [refused, unknown]) {
      assert.match(head, /^HTTP\/1\.1 200 /);
      assert.match(head, /^connection: close$/im);
    }
    assert.match(refused.body.request_id, /^[0-9A-HJKMNP-TV-Z]{26}$/);
    assert.deepEqual([refused.body.error_code, refused.body.error_msg], [503, 'Temporarily unavailable.']);
    assert.equal(unknown.body.error_code, 401);
  });
});
