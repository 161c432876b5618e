import assert from 'node:assert/strict';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { listenFailure } from '../../src/compose/openListener.ts';
import { nearestWord } from '../../src/kernel/nearest.ts';
import { messageOf, OperatorError } from '../../src/kernel/errors.ts';
import { dataDirectory } from '../support/service.ts';
import { runEach } from './support/runMany.ts';

describe('mistakes in settings', () => {
  const dir = dataDirectory();
  const junk = join(dir, 'junk.pem');
  writeFileSync(junk, 'no certificate');
  const config = join(dir, 'my.yaml');
  writeFileSync(config, 'connections:\n  north:\n    url: https://north.example/v3/\n    tokn: x\n');
  const profile = join(dir, 'north.yaml');
  writeFileSync(profile, 'note: mine\nwords:\n  chanel: {direct: self}\n');
  after(() => rmSync(dir, { recursive: true, force: true }));

  const rows: [what: string, environment: Record<string, string>, said: RegExp][] = [
    ['a port that is no number', { STAYD_PORT: 'abc' }, /STAYD_PORT: port: must be a number\n/],
    ['a port that is none', { STAYD_PORT: '99999' }, /STAYD_PORT: port: must be at most 65535\n/],
    [
      'a list with a word that is none',
      { STAYD_ROLES: 'cores' },
      /STAYD_ROLES: roles: must be one of core, .*\n.*allowed: core, /,
    ],
    [
      'a token without an address',
      { STAYD_UPSTREAM_TOKEN: 'x' },
      /STAYD_UPSTREAM_TOKEN: upstream\.token is given, and upstream\.url is not.*\n.*STAYD_UPSTREAM_URL=/,
    ],
    [
      'a profile that is not there',
      { STAYD_CORE_DIALECT: 'hostx' },
      /there is no profile "hostx"\n.*did you mean hostex\?/,
    ],
    [
      'a mistake in a profile',
      { STAYD_CORE_DIALECT: profile },
      /north\.yaml, line 3: words\.chanel: is no known key\n.*did you mean channel\?/,
    ],
    ['a misspelt variable', { STAYD_PROT: '1' }, /STAYD_PROT is no setting\n.*did you mean STAYD_PORT\?\n/],
    [
      'a misspelt key',
      { STAYD_CONFIG: config },
      /my\.yaml: connections\.north\.tokn is no known key\n.*did you mean token\?\n/,
    ],
    [
      'a variable like no other',
      { STAYD_FROBNICATE: '1' },
      /STAYD_FROBNICATE is no setting\n.*allowed are .*STAYD_PORT/,
    ],
    [
      'a certificate that is not there',
      { STAYD_TLS_CERT: join(dir, 'none.pem'), STAYD_TLS_KEY: junk },
      /tls\.cert: cannot read .*none\.pem: .*\n.*STAYD_TLS_CERT/,
    ],
    [
      'a file that is no certificate',
      { STAYD_TLS_CERT: junk, STAYD_TLS_KEY: junk },
      /tls\.cert: .*junk\.pem holds no certificate\n.*BEGIN CERTIFICATE/,
    ],
    [
      'an address of another machine',
      { STAYD_HOST: '192.0.2.1', STAYD_TRUSTED_PROXIES: '192.0.2.2' },
      /this machine has no address 192\.0\.2\.1\n.*STAYD_HOST/,
    ],
  ];

  it('are named with what to do, without a stack', async () => {
    const outcomes = await runEach(
      rows.map(([, more]) => ({
        args: ['start'],
        environment: { STAYD_PORT: '0', STAYD_DATA_DIR: join(dir, 'data'), STAYD_LOG_LEVEL: 'silent', ...more },
      })),
    );
    for (const [index, { code, stderr }] of outcomes.entries()) {
      const [what = '', , said] = rows[index] ?? [];
      assert.ok(code === 1 || code === 2, what);
      assert.ok(said);
      assert.match(stderr, said, what);
      assert.doesNotMatch(stderr, /\n {4}at /, what);
    }
  });

  it('a port that only some may have, or that is taken', () => {
    const failed = (code: string) => Object.assign(new Error(code), { code });
    const said = (error: unknown) => {
      assert.ok(error instanceof OperatorError);
      return `${messageOf(error)} → ${error.hint}`;
    };
    assert.match(
      said(listenFailure(failed('EACCES'), { host: '0.0.0.0', port: 80 })),
      /may not listen on port 80 of 0\.0\.0\.0 → set STAYD_PORT to 1024 or above and put a proxy in front/,
    );
    assert.match(said(listenFailure(failed('EADDRINUSE'), { host: '127.0.0.1', port: 8484 })), /is taken/);
    const unknown = failed('EWHATEVER');
    assert.equal(listenFailure(unknown, { host: '127.0.0.1', port: 8484 }), unknown);
  });

  it('the word that was meant is the nearest that is near', () => {
    const words = ['STAYD_PORT', 'STAYD_HOST', 'STAYD_UPSTREAM_URL', 'STAYD_UPSTREAM_TOKEN'];
    for (const [written, meant] of [
      ['STAYD_PROT', 'STAYD_PORT'],
      ['stayd_port', 'STAYD_PORT'],
      ['STAYD_UPSTREM_TOKN', 'STAYD_UPSTREAM_TOKEN'],
      ['STAYD_FROBNICATE', undefined],
      ['', undefined],
      ['x'.repeat(1_000_000), undefined],
    ] as const) {
      assert.equal(nearestWord(written, words), meant, written.slice(0, 20));
    }
  });
});
