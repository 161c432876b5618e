import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { isMap, parseDocument, type YAMLMap } from 'yaml';
import { UsageError } from '../../src/kernel/errors.ts';
import { configPaths, configSchema, loadConfig, variableOf } from '../../src/config.ts';
import { packageRoot } from '../../src/kernel/program/packageRoot.ts';

const text = readFileSync(join(packageRoot(), 'config', 'default.yaml'), 'utf8');

describe('config/default.yaml', () => {
  it('has every key, and no other', () => {
    const paths = (map: YAMLMap, path: string[] = []): string[] =>
      map.items.flatMap((pair) => {
        const here = [...path, String(pair.key)];
        return [here.join('.'), ...(isMap(pair.value) ? paths(pair.value, here) : [])];
      });
    const { contents } = parseDocument(text);
    assert.ok(isMap(contents));
    // Of the books there is an example, and a model has parameters: under names that are no keys.
    const keys = paths(contents).filter((path) => !/^(exports\.books|ai\.parameters)\./.test(path));
    assert.deepEqual(
      keys.toSorted(),
      configPaths(configSchema)
        .map((path) => path.join('.'))
        // A section that is not there unless somebody writes it; its comment names its keys.
        .filter((path) => !path.startsWith('upstream.oauth.'))
        .toSorted(),
    );
  });

  it('explains every key in a comment, its own or its section’s', () => {
    const lines = text.split('\n');
    let explained = false;
    let sectionExplained = false;
    for (const line of lines) {
      if (line.trim() === '') explained = false;
      else if (line.trimStart().startsWith('#')) explained = true;
      else {
        const top = !line.startsWith(' ');
        if (top) sectionExplained = explained;
        const section = top && /^\w+:\s*$/.test(line);
        assert.ok(explained || sectionExplained || section, `no comment explains: ${line}`);
        // One comment speaks for the keys that follow it without a gap.
      }
    }
  });

  it('every key has a name of its own in the environment', () => {
    const names = configPaths(configSchema).map(variableOf);
    assert.equal(new Set(names).size, names.length);
    const set = (name: string, value: string) => loadConfig({ [name]: value });
    assert.equal(set('STAYD_PORT', '9').port, 9);
    assert.equal(set('STAYD_FAULTS_DROP', '0.25').faults.drop, 0.25);
    assert.deepEqual(set('STAYD_OUTBOUND_ALLOW', '127.0.0.1:1, 10.0.0.0/8').outbound.allow, [
      '127.0.0.1:1',
      '10.0.0.0/8',
    ]);
    assert.equal(set('STAYD_ACCOUNT_PROPERTY_QUOTA', '7').account.property_quota, 7);
    for (const token of ['12345', '*nowhere', 'a: b: c']) {
      const given = { STAYD_UPSTREAM_URL: 'https://other.example', STAYD_UPSTREAM_TOKEN: token };
      assert.equal(loadConfig(given).upstream.token, token);
    }
    assert.throws(
      () => set('STAYD_FAULTS_DROP', '*nowhere'),
      /STAYD_FAULTS_DROP: line 1: there is no &nowhere before it/,
    );
  });

  it('a webhook secret that no header can carry is refused, and named', () => {
    const set = (secret: string) => {
      const text = JSON.stringify({ other: { url: 'https://other.example', webhook_secret: secret } });
      return loadConfig({ STAYD_CONNECTIONS: text }).connections['other']?.webhook_secret;
    };
    for (const secret of ['whsec_AAECAwQFBgc=', 'two words', 'gr\u00fcn']) assert.equal(set(secret), secret);
    for (const secret of ['a\nb', 'a\r\nx-injected: 1', '\0', '\u03c0', ' led by a blank', 'with a line end\n']) {
      assert.throws(
        () => set(secret),
        (error) =>
          error instanceof UsageError &&
          /connections\.other\.webhook_secret: .* no header can carry/.test(error.message) &&
          !error.message.includes(secret),
        JSON.stringify(secret),
      );
    }
  });
});
