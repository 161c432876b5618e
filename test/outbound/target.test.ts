import assert from 'node:assert/strict';
import test from 'node:test';
import fc from 'fast-check';
import { OperatorError } from '../../src/kernel/errors.ts';
import { mayDial, readPolicy, type TargetPolicy } from '../../src/outbound/policy.ts';
import { checkTarget, leadsInside, MAX_URL_LENGTH } from '../../src/outbound/target.ts';

const STRICT: TargetPolicy = { allow: [] };

function verdict(url: string, policy = STRICT): string {
  const checked = checkTarget(url, policy);
  return 'refused' in checked ? checked.refused : checked.url.href;
}

test('what is called, and how it is spelt', () => {
  const rows: [string, string][] = [
    ['https://hooks.example/a?b=c', 'https://hooks.example/a?b=c'],
    ['HTTPS://Hooks.Example:443/A', 'https://hooks.example/A'],
    ['https://hooks.example:8443/', 'https://hooks.example:8443/'],
    ['https://hooks.example.', 'https://hooks.example/'],
    ['https://hooks.example.:8443/x', 'https://hooks.example:8443/x'],
    ['https://bücher.example/ü', 'https://xn--bcher-kva.example/%C3%BC'],
    ['https://8.8.8.8/', 'https://8.8.8.8/'],
    ['https://[2606:4700:4700::1111]/', 'https://[2606:4700:4700::1111]/'],
    ['https://[::ffff:8.8.8.8]/', 'https://[::ffff:808:808]/'],
    [
      `https://hooks.example/${'a'.repeat(MAX_URL_LENGTH - 22)}`,
      `https://hooks.example/${'a'.repeat(MAX_URL_LENGTH - 22)}`,
    ],
  ];
  for (const [url, href] of rows) assert.equal(verdict(url), href);
});

test('what is refused, and why', () => {
  const rows: [string, string][] = [
    [`https://hooks.example/${'a'.repeat(MAX_URL_LENGTH - 21)}`, 'too_long'],
    ['', 'not_a_url'],
    ['hooks.example', 'not_a_url'],
    ['//hooks.example/', 'not_a_url'],
    ['https://', 'not_a_url'],
    ['https://./', 'not_a_url'],
    ['https://hooks.example../', 'not_a_url'],
    ['https://a..b.example/', 'not_a_url'],
    ['https://.hooks.example/', 'not_a_url'],
    [' https://hooks.example/', 'not_a_url'],
    ['https://hooks.exa\nmple/', 'not_a_url'],
    ['https://hooks.example\\@10.0.0.1/', 'not_a_url'],
    ['https://hooks.example/\0', 'not_a_url'],
    ['http://hooks.example/', 'scheme'],
    ['ftp://hooks.example/', 'scheme'],
    ['javascript:alert(1)', 'scheme'],
    ['https://user@hooks.example/', 'userinfo'],
    ['https://:secret@hooks.example/', 'userinfo'],
    ['https://hooks.example:22/', 'port'],
    ['https://8.8.8.8:80/', 'port'],
    ['https://hooks.example:0/', 'port'],
    ['https://127.0.0.1/', 'private_address'],
    ['https://localhost/', 'private_address'],
    ['https://localhost./', 'private_address'],
  ];
  for (const [url, refusal] of rows) assert.equal(verdict(url), refusal, url);
});

test('the allow-list: rows', () => {
  const policy = {
    allow: [
      'receiver.lan:8080',
      'Localhost:9000',
      '127.0.0.1:9001',
      '[::1]:9002',
      '192.168.4.0/24',
      'fd12::/16',
      '10.1.0.0/16:8443',
      'fd34::/16:7000',
      '[fd56::]/16:7001',
    ],
  };
  const rows: [string, string | true][] = [
    ['http://receiver.lan:8080/x', true],
    ['https://receiver.lan:8080/x', true],
    ['http://RECEIVER.lan.:8080/x', true],
    ['http://receiver.lan:8081/x', 'scheme'],
    ['https://receiver.lan:8081/x', 'private_address'],
    ['http://other.lan:8080/x', 'scheme'],
    ['http://receiver.lan.evil.example:8080/', 'scheme'],
    ['http://user@receiver.lan:8080/x', 'userinfo'],
    ['ftp://receiver.lan:8080/x', 'scheme'],
    ['http://localhost:9000/', true],
    ['http://localhost/', 'scheme'],
    ['http://127.0.0.1:9001/', true],
    ['http://2130706433:9001/', true],
    ['http://[::ffff:127.0.0.1]:9001/', true],
    ['http://127.0.0.1:9002/', 'scheme'],
    ['http://127.0.0.2:9001/', 'scheme'],
    ['http://[::1]:9002/', true],
    ['http://[0:0::1]:9002/', true],
    ['http://192.168.4.77/', true],
    ['http://192.168.4.77:1234/', true],
    ['https://192.168.5.1/', 'private_address'],
    ['http://[fd12::1]:80/', true],
    ['https://[fd13::1]/', 'private_address'],
    ['http://10.1.2.3:8443/', true],
    ['https://10.1.2.3/', 'private_address'],
    ['http://[fd34::1]:7000/', true],
    ['https://[fd34::1]:7001/', 'private_address'],
    ['http://[fd56::1]:7001/', true],
  ];
  for (const [url, expected] of rows) {
    const checked = checkTarget(url, policy);
    assert.equal('refused' in checked ? checked.refused : true, expected, url);
  }
});

test('what may be dialled for a name', () => {
  const policy = { allow: ['receiver.lan:8080', '192.168.4.0/24:443'] };
  const rows: [string, number, string, boolean][] = [
    ['hooks.example', 443, '8.8.8.8', true],
    ['hooks.example', 443, '::ffff:8.8.8.8', true],
    ['hooks.example', 443, '127.0.0.1', false],
    ['hooks.example', 443, '192.168.4.9', true],
    ['hooks.example', 443, '::ffff:192.168.4.9', true],
    ['hooks.example', 8443, '192.168.4.9', false],
    ['receiver.lan', 8080, '10.0.0.9', true],
    ['receiver.lan', 8081, '10.0.0.9', false],
    ['receiver.lan', 8080, '', false],
    ['receiver.lan', 8080, 'nonsense', false],
  ];
  for (const [name, port, address, expected] of rows) {
    assert.equal(mayDial(policy, name, port, address), expected, `${name}:${port} at ${address}`);
  }
});

test('an entry that cannot be read stops the start and is named', () => {
  const entries = [
    '',
    'receiver.lan',
    '10.0.0.1',
    '10.0.0.0/33',
    '10.0.0/8',
    'fd00::/129',
    'host:0',
    'host:65536',
    '*:80',
  ];
  const more = [
    '10.0.0.0/8:',
    'http://receiver.lan:80',
    'user@host:80',
    '::1:80',
    '[::1',
    'a b:80',
    '10.0.0.0/8:99999',
  ];
  for (const entry of [...entries, ...more]) {
    assert.throws(
      () => readPolicy({ allow: [entry] }),
      (thrown: unknown) => thrown instanceof OperatorError && thrown.message.includes(`"${entry}"`),
      entry,
    );
  }
});

test('whatever the text: never throws, and what passes is https to a default port without userinfo', () => {
  const hosts = fc.oneof(
    fc.domain(),
    fc.ipV4Extended(),
    fc.ipV6().map((v6) => `[${v6}]`),
    fc.string(),
  );
  const urls = fc.oneof(
    fc.webUrl(),
    fc.string(),
    hosts.map((host) => `https://${host}/`),
  );
  fc.assert(
    fc.property(urls, (text) => {
      const checked = checkTarget(text, STRICT);
      if ('refused' in checked) return true;
      const { protocol, port, username, password } = checked.url;
      return protocol === 'https:' && ['', '8443'].includes(port) && username === '' && password === '';
    }),
    { numRuns: 1_000 },
  );
});

test('of this service itself only the receivers are called, whatever is permitted', () => {
  const self = { ports: [8484, 443], addresses: ['192.168.1.5', 'fd00::5'], path: /^\/hooks\/[a-z0-9_-]{1,40}$/ };
  const policy: TargetPolicy = {
    allow: ['127.0.0.0/8', '192.168.0.0/16', 'fd00::/8', 'me.lan:8484', 'me.lan:9000'],
    self,
  };
  const inside = (url: string) => {
    const checked = checkTarget(url, policy);
    return 'refused' in checked ? checked.refused : leadsInside(checked.url, policy);
  };
  const doors = [
    '/portal/login',
    '/',
    '/metrics',
    '/hooks',
    '/hooks/',
    '/hooks/../portal/login',
    '/hooks/a/b',
    '/hooks/%2e%2e/portal',
    '/v3/webhooks',
  ];
  const hosts = [
    'http://127.0.0.1:8484',
    'http://127.0.0.2:8484',
    'https://127.0.0.1',
    'http://192.168.1.5:8484',
    'http://[fd00::5]:8484',
    'http://me.lan:8484',
    'http://2130706433:8484',
  ];
  for (const host of hosts) {
    for (const door of doors) assert.equal(inside(`${host}${door}`), true, `${host}${door}`);
    assert.equal(inside(`${host}/hooks/local`), false);
    assert.equal(inside(`${host}/hooks/local?instance=a`), false);
  }
  for (const url of [
    'http://127.0.0.1:9000/x',
    'http://192.168.1.6:8484/x',
    'http://me.lan:9000/x',
    'https://hooks.example/x',
  ]) {
    assert.equal(inside(url), false, url);
  }
});
