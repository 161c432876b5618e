import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { knownPeers, limitConnections, limitsFor } from '../../src/api/http/connectionLimits.ts';

describe('connections', () => {
  let server: Server;
  const clients: Socket[] = [];
  before(async () => {
    server = createServer();
    // The second half of this machine's addresses stands for others, the third for a proxy.
    limitConnections(server, { inAll: 9, fromElsewhere: 4, fromAddress: 3 }, (peer) => peer.endsWith('.0.0.3'));
    server.on('connection', (socket) => {
      socket.on('error', () => {});
      if (!socket.destroyed) socket.write('in');
    });
    server.listen(0, '0.0.0.0');
    await once(server, 'listening');
  });
  after(() => {
    for (const client of clients) client.destroy();
    server.close();
  });

  /** Whether a connection from there is let in. */
  async function isIn(localAddress: string): Promise<boolean> {
    const client = connect({ port: (server.address() as AddressInfo).port, host: '127.0.0.1', localAddress });
    clients.push(client);
    client.on('error', () => {});
    const first = await Promise.race([once(client, 'data'), once(client, 'close')]);
    return first[0] instanceof Buffer;
  }
  const all = async (address: string, count: number) => {
    const results: boolean[] = [];
    for (let i = 0; i < count; i += 1) results.push(await isIn(address));
    return results;
  };

  it('of one address, of all others together, and with what is kept for this machine and its proxies', async () => {
    assert.deepEqual(await all('127.0.0.1', 4), [true, true, true, false], 'one address');
    assert.deepEqual(await all('127.0.0.2', 2), [true, false], 'another, while there is room');
    assert.deepEqual(await all('127.0.0.3', 6), [true, true, true, true, true, false], 'up to the limit of all');
  });

  it('an address that lets go gets in again', async () => {
    const [first, ...others] = clients.splice(0);
    for (const client of others.slice(-5)) client.destroy();
    first?.destroy();
    for (let left = Infinity; left > 4;) {
      await new Promise((resolve) => setImmediate(resolve));
      left = await new Promise<number>((resolve) => server.getConnections((_error, count) => resolve(count)));
    }
    clients.push(...others);
    assert.equal(await isIn('127.0.0.2'), true);
  });
});

describe('the limits of a process', () => {
  for (const descriptors of [256, 1_024, 20_000, 1_048_576]) {
    it(`stay below ${descriptors} descriptors`, () => {
      const { inAll, fromElsewhere, fromAddress } = limitsFor(descriptors);
      assert.ok(inAll < descriptors && fromElsewhere < inAll && fromAddress < fromElsewhere && fromAddress > 0);
    });
  }

  it('are not for this machine and trusted proxies', () => {
    const isKnown = knownPeers(['10.0.0.0/24']);
    assert.deepEqual(['127.0.0.1', '::1', '10.0.0.9', '10.0.1.9', '192.0.2.1'].map(isKnown), [
      true,
      true,
      true,
      false,
      false,
    ]);
  });
});
