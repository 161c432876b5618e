import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { loadConfig, ownConfigFile } from '../../src/config.ts';
import { UsageError } from '../../src/kernel/errors.ts';

describe('a setting whose value lies in a file', () => {
  const directory = mkdtempSync(join(tmpdir(), 'stayd-variables-'));
  after(() => rmSync(directory, { recursive: true }));
  const put = (name: string, text: string): string => {
    const file = join(directory, name);
    writeFileSync(file, text);
    return file;
  };
  const refused = (environment: Record<string, string>, ...patterns: readonly RegExp[]) =>
    assert.throws(
      () => loadConfig(environment),
      (error) => error instanceof UsageError && patterns.every((one) => one.test(`${error.message} ${error.hint}`)),
    );

  it('is read from there, without the line end', () => {
    for (const end of ['', '\n', '\r\n']) {
      const file = put('key', ` s3cret: #1${end}`);
      assert.equal(loadConfig({ STAYD_SECRET_KEY_FILE: file }).secret_key, ' s3cret: #1');
    }
    const password = put('password', 'p\n');
    const host = { STAYD_MAIL_SMTP_HOST: 'mail.example', STAYD_MAIL_SMTP_FROM: 'a@rooms.example' };
    assert.equal(loadConfig({ ...host, STAYD_MAIL_SMTP_PASSWORD_FILE: password }).mail.smtp.password, 'p');
    assert.equal(loadConfig({ STAYD_PORT_FILE: put('port', '8600\n') }).port, 8_600);
  });

  it('may be one of a connection, or the data directory', () => {
    const { connections } = loadConfig({
      STAYD_CONNECTIONS: '{north: {url: "https://north.example"}}',
      STAYD_CONNECTIONS_NORTH_TOKEN_FILE: put('token', 't0ken\n'),
    });
    assert.equal(connections['north']?.token, 't0ken');
    const there = { STAYD_DATA_DIR_FILE: put('place', '/srv/stayd\n') };
    assert.equal(loadConfig(there).data_dir, '/srv/stayd');
    assert.equal(ownConfigFile(there).file, '/srv/stayd/stayd.yaml');
  });

  it('is refused when it cannot be read, is empty, or is given twice', () => {
    refused({ STAYD_SECRET_KEY_FILE: join(directory, 'none') }, /STAYD_SECRET_KEY_FILE: cannot read .*none/);
    refused({ STAYD_SECRET_KEY_FILE: put('empty', '\n') }, /STAYD_SECRET_KEY_FILE: .* is empty/);
    refused({ STAYD_SECRET_KEY_FILE: put('long', 'x'.repeat(70_000)) }, /is too long/);
    const both = { STAYD_SECRET_KEY: 'a', STAYD_SECRET_KEY_FILE: put('key', 'b') };
    refused(both, /STAYD_SECRET_KEY and STAYD_SECRET_KEY_FILE are both set/, /leave one/);
  });

  it('is named as it was written when its value is wrong, and a misspelt name is none', () => {
    refused({ STAYD_PORT_FILE: put('port', 'many') }, /environment variable STAYD_PORT_FILE: port: must be/);
    refused({ STAYD_SECRET_KY_FILE: put('key', 'b') }, /STAYD_SECRET_KY_FILE is no setting/);
  });
});

describe('variables of a section and of its keys', () => {
  it('are read whatever their order; the key wins', () => {
    const key = { STAYD_FAULTS_DROP: '0.5' };
    const section = { STAYD_FAULTS: '{drop: 0.1, double: 0.2}' };
    for (const environment of [
      { ...key, ...section },
      { ...section, ...key },
    ]) {
      const { drop, double } = loadConfig(environment).faults;
      assert.deepEqual([drop, double], [0.5, 0.2]);
    }
  });
});
