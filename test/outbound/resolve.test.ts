import assert from 'node:assert/strict';
import test from 'node:test';
import { askDns, systemResolve } from '../../src/outbound/resolve.ts';
import { httpReceiver, testSender } from './servers.ts';

type Answer = string[] | Error;
const given = (answer: Answer) => (answer instanceof Error ? Promise.reject(answer) : Promise.resolve(answer));

test('both families are asked; one may fail', async () => {
  const none = new Error('ENODATA');
  const rows: [Answer, Answer, string[] | undefined][] = [
    [['8.8.8.8'], ['2001:4860:4860::8888'], ['8.8.8.8', '2001:4860:4860::8888']],
    [['8.8.8.8', '8.8.4.4'], none, ['8.8.8.8', '8.8.4.4']],
    [none, ['2001:4860:4860::8888'], ['2001:4860:4860::8888']],
    [[], [], []],
    [[], none, []],
    [none, none, undefined],
  ];
  for (const [v4, v6, expected] of rows) {
    // Typed loosely by Node, since the same methods can also answer with times to live.
    const resolver = { resolve4: () => given(v4), resolve6: () => given(v6) } as unknown as Parameters<
      typeof askDns
    >[0];
    if (expected) assert.deepEqual(await askDns(resolver, 'hooks.example'), expected);
    else await assert.rejects(askDns(resolver, 'hooks.example'), none);
  }
});

test('a name the self-hoster allowed is looked up as on this machine', async (t) => {
  const receiver = await httpReceiver(t, (request, response) => {
    request.resume();
    response.end();
  });
  const options = { policy: { allow: [`localhost:${receiver.port}`] }, resolve: systemResolve };
  const { deliver } = testSender(t, options);
  assert.equal((await deliver(`http://localhost:${receiver.port}/`)).outcome, 'delivered');
  assert.equal((await deliver(`http://127.0.0.1:${receiver.port}/`)).outcome, 'bad_url');
});
