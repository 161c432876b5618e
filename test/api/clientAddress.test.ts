import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { FastifyRequest } from 'fastify';
import { clientAddressOf } from '../../src/api/http/plainHttp.ts';

it('S35: a forged X-Forwarded-For does not move the address that sign-ins are counted by', () => {
  const addressOf = clientAddressOf(['10.0.0.0/24', '10.1.1.1']);
  const from = (remoteAddress: string, forwarded?: string) => {
    const request = {
      socket: { remoteAddress },
      headers: forwarded === undefined ? {} : { 'x-forwarded-for': forwarded },
    };
    return addressOf(request as unknown as FastifyRequest);
  };
  assert.equal(from('203.0.113.7'), '203.0.113.7');
  assert.equal(from('203.0.113.7', '198.51.100.1'), '203.0.113.7', 'a stranger is not believed');
  assert.equal(from('127.0.0.1', '198.51.100.1'), '127.0.0.1', 'nor is this machine, unless it is named');
  assert.equal(from('10.0.0.2', '198.51.100.1'), '198.51.100.1', 'a proxy is');
  assert.equal(from('10.0.0.2', '1.1.1.1, 198.51.100.1'), '198.51.100.1', 'only for what it saw itself');
  assert.equal(
    from('10.0.0.2', '1.1.1.1, 198.51.100.1, 10.1.1.1'),
    '198.51.100.1 via 10.1.1.1',
    'and so is the one before it',
  );
  assert.notEqual(
    from('10.0.0.2', '198.51.100.1, 10.0.0.77'),
    from('10.0.0.2', '198.51.100.1'),
    'a caller with an address of a trusted range does not pass for another',
  );
  assert.equal(from('10.0.0.2', 'nonsense'), '10.0.0.2');
  assert.equal(from('10.0.0.2'), '10.0.0.2');
  assert.equal(from('::ffff:203.0.113.7'), '203.0.113.7');
  assert.equal(from('2001:db8:1:2:3:4:5:6'), from('2001:db8:1:2:ffff::1'), 'one network, one caller');
});
