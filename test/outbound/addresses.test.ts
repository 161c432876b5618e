import assert from 'node:assert/strict';
import { BlockList } from 'node:net';
import test from 'node:test';
import fc from 'fast-check';
import { isPublicAddress } from '../../src/outbound/addresses.ts';

/** First and last address of what is not public, and their neighbours where those are. */
const ROWS: [string, string[], string[]][] = [
  ['this network 0/8', ['0.0.0.0', '0.255.255.255'], ['1.0.0.0']],
  ['private 10/8', ['10.0.0.0', '10.255.255.255'], ['9.255.255.255', '11.0.0.0']],
  ['carrier NAT 100.64/10', ['100.64.0.0', '100.127.255.255'], ['100.63.255.255', '100.128.0.0']],
  ['loopback 127/8', ['127.0.0.0', '127.255.255.255'], ['126.255.255.255', '128.0.0.0']],
  ['link-local 169.254/16', ['169.254.0.0', '169.254.169.254', '169.254.255.255'], ['169.253.255.255', '169.255.0.0']],
  ['private 172.16/12', ['172.16.0.0', '172.31.255.255'], ['172.15.255.255', '172.32.0.0']],
  ['IETF 192.0.0/24', ['192.0.0.0', '192.0.0.255'], ['191.255.255.255', '192.0.1.0']],
  ['documentation 192.0.2/24', ['192.0.2.0', '192.0.2.255'], ['192.0.3.0']],
  ['6to4 relays 192.88.99/24', ['192.88.99.0', '192.88.99.255'], ['192.88.98.255', '192.88.100.0']],
  ['private 192.168/16', ['192.168.0.0', '192.168.255.255'], ['192.167.255.255', '192.169.0.0']],
  ['benchmarks 198.18/15', ['198.18.0.0', '198.19.255.255'], ['198.17.255.255', '198.20.0.0']],
  ['documentation 198.51.100/24', ['198.51.100.0', '198.51.100.255'], ['198.51.99.255', '198.51.101.0']],
  ['documentation 203.0.113/24', ['203.0.113.0', '203.0.113.255'], ['203.0.112.255', '203.0.114.0']],
  ['multicast 224/4', ['224.0.0.0', '239.255.255.255'], ['223.255.255.255']],
  ['reserved 240/4 and broadcast', ['240.0.0.0', '255.255.255.254', '255.255.255.255'], []],
  ['host of an Azure machine', ['168.63.129.16'], ['168.63.129.15', '168.63.129.17']],
  ['public v4', [], ['1.1.1.1', '8.8.8.8', '93.184.216.34']],
  ['unspecified and loopback', ['::', '::1'], []],
  ['v4-mapped, as the v4 within', ['::ffff:127.0.0.1', '::ffff:a9fe:a9fe', '::ffff:10.0.0.1'], ['::ffff:8.8.8.8']],
  ['v4-compatible', ['::127.0.0.1', '::7f00:1', '::8.8.8.8'], []],
  ['v4-translated', ['::ffff:0:127.0.0.1', '::ffff:0:8.8.8.8'], []],
  ['NAT64 64:ff9b::/96', ['64:ff9b::', '64:ff9b::7f00:1', '64:ff9b::8.8.8.8', '64:ff9b::ffff:ffff'], []],
  ['NAT64 64:ff9b:1::/48', ['64:ff9b:1::', '64:ff9b:1::808:808', '64:ff9b:1:ffff:ffff:ffff:ffff:ffff'], []],
  ['discard 100::/64', ['100::', '100::ffff:ffff:ffff:ffff'], []],
  ['IETF 2001::/23, Teredo within', ['2001::', '2001:0:7f00:1::', '2001:1ff:ffff::'], ['2001:200::']],
  ['benchmarks 2001:2::/48', ['2001:2::', '2001:2:0:ffff::'], []],
  ['ORCHID', ['2001:10::', '2001:1f:ffff::', '2001:20::', '2001:2f:ffff::'], []],
  ['documentation 2001:db8::/32', ['2001:db8::', '2001:db8:ffff::1'], ['2001:db7:ffff::', '2001:db9::']],
  ['6to4 2002::/16', ['2002::', '2002:7f00:1::', '2002:808:808::1', '2002:ffff:ffff::'], ['2003::']],
  ['documentation 3fff::/20', ['3fff::', '3fff:fff:ffff::'], ['3fff:1000::']],
  ['segment routing 5f00::/16', ['5f00::', '5f00:ffff::1'], []],
  ['unique local fc00::/7', ['fc00::', 'fd00:ec2::254', 'fdff:ffff::'], []],
  ['link-local fe80::/10', ['fe80::1', 'febf:ffff::'], []],
  ['site-local fec0::/10', ['fec0::1', 'feff:ffff::'], []],
  ['multicast ff00::/8', ['ff02::1', 'ff0e::1', 'ffff::'], []],
  ['not allotted yet', ['1000::', '4000::1', '8000::1', 'e000::'], []],
  ['public v6', [], ['2606:4700:4700::1111', '2001:4860:4860::8888', '2a00:1450:4001::1', '3ffe::1']],
  [
    'no address',
    ['', 'localhost', '127.1', '0x7f.0.0.1', '01.2.3.4', '8.8.8.8 ', '8.8.8.8:53', '[2a00::1]', '8.8.8'],
    [],
  ],
  ['with a zone', ['fe80::1%eth0', '2a00:1450::1%1'], []],
];

for (const [name, inner, open] of ROWS) {
  test(`addresses: ${name}`, () => {
    for (const address of inner) assert.equal(isPublicAddress(address), false, address);
    for (const address of open) assert.equal(isPublicAddress(address), true, address);
  });
}

test('a v4-mapped address is judged as its v4 address, in both spellings', () => {
  fc.assert(
    fc.property(fc.ipV4(), (v4) => {
      const [a = 0, b = 0, c = 0, d = 0] = v4.split('.').map(Number);
      const hex = `::ffff:${((a << 8) | b).toString(16)}:${((c << 8) | d).toString(16)}`;
      const verdict = isPublicAddress(v4);
      return isPublicAddress(`::ffff:${v4}`) === verdict && isPublicAddress(hex) === verdict;
    }),
  );
});

test("a second opinion: nothing in Node's own block list is called public", () => {
  // One list per family: a v4 address is also looked for among the v6 rules, as its v4-mapped form.
  const [list4, list6] = [new BlockList(), new BlockList()];
  const v4 = ['0.0.0.0/8', '10.0.0.0/8', '100.64.0.0/10', '127.0.0.0/8', '169.254.0.0/16', '172.16.0.0/12'];
  const more = ['192.0.0.0/24', '192.168.0.0/16', '198.18.0.0/15', '224.0.0.0/3'];
  for (const subnet of [...v4, ...more]) list4.addSubnet(...split(subnet), 'ipv4');
  const v6 = ['::/3', '2001::/23', '2001:db8::/32', '2002::/16', '4000::/2', '8000::/1'];
  for (const subnet of v6) list6.addSubnet(...split(subnet), 'ipv6');
  fc.assert(
    fc.property(fc.ipV4(), fc.ipV6(), (address4, address6) => {
      const leak4 = list4.check(address4, 'ipv4') && isPublicAddress(address4);
      const mapped = address6.includes('.');
      const leak6 = !mapped && list6.check(address6, 'ipv6') && isPublicAddress(address6);
      return !leak4 && !leak6;
    }),
    { numRuns: 2_000 },
  );
});

test('never throws', () => {
  fc.assert(fc.property(fc.oneof(fc.string(), fc.ipV6()), (text) => typeof isPublicAddress(text) === 'boolean'));
});

function split(cidr: string): [string, number] {
  const [net = '', bits] = cidr.split('/');
  return [net, Number(bits)];
}
