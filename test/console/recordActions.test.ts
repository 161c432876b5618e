import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import type { Node } from 'oxc-parser';
import { actionChoices, actionName } from '../../src/console/record/actionName.ts';
import { de } from '../../src/console/texts/de.ts';
import { en } from '../../src/console/texts/en.ts';
import { nameOf, parseSource, propertyOf } from '../scripts/architecture/source.ts';

const ROOT = fileURLToPath(new URL('..', new URL('..', import.meta.url)));

/** Where actions are recorded. */
const FOLDERS = ['core', 'channels', 'oauth', 'api/portal', 'compose', 'sandbox'];

/** The actions that the program records, as they stand in it; of a template, its beginning. */
function recordedActions(): string[] {
  const files = FOLDERS.flatMap((folder) =>
    readdirSync(join(ROOT, 'src', folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts'))
      .map((name) => `${folder}/${name}`),
  );
  return files.flatMap((file) =>
    parseSource(file, readFileSync(join(ROOT, 'src', file), 'utf8')).places.flatMap(({ node }) => {
      const called = node.type === 'CallExpression' ? (nameOf(node.callee) ?? propertyOf(node.callee)) : undefined;
      const records = called === 'audit' || (called === 'settings' && file === 'api/portal/endpoints.ts');
      if (records && node.type === 'CallExpression') return textsOf(node.arguments[0]);
      return node.type === 'ObjectExpression' ? entryAction(node) : [];
    }),
  );
}

/** The action of `{ action: '…', subject: '…' }`. */
function entryAction(node: Node & { type: 'ObjectExpression' }): string[] {
  const values = new Map(
    node.properties.flatMap((one) => (one.type === 'Property' ? [[nameOf(one.key), one.value]] : [])),
  );
  return values.has('subject') ? textsOf(values.get('action')) : [];
}

function textsOf(node: Node | undefined): string[] {
  if (node?.type === 'ConditionalExpression') return [...textsOf(node.consequent), ...textsOf(node.alternate)];
  if (node?.type === 'TemplateLiteral') return [node.quasis[0]?.value.cooked ?? ''];
  return nameOf(node) === undefined || node?.type !== 'Literal' ? [] : [String(node.value)];
}

describe('names of recorded actions', () => {
  it('every action that the program records has a name in each language', () => {
    const recorded = [...new Set(recordedActions())];
    assert.ok(recorded.length > 100, `only ${recorded.length} actions were found`);
    for (const { language, record } of [en, de]) {
      const names = Object.keys(record.actions);
      const unnamed = recorded.filter(
        (action) => !names.some((name) => name === action || action.startsWith(`${name} `)),
      );
      // The beginnings of templates: `${answer}Request`, `deposit ${kind}`, `end oauth grant: ${why}`, `revoke ${kind} token`.
      assert.deepEqual(unnamed.toSorted(), ['', 'deposit ', 'end oauth grant: ', 'revoke '], language);
    }
  });

  it('says what was refused, what was allowed, and why it ended; an unknown one stays as it was noted', () => {
    const names = en.record.actions;
    assert.equal(actionName(names, 'refused createTask'), 'Refused: Task added');
    assert.equal(actionName(names, 'refused GET /v3/tasks'), 'Refused: GET /v3/tasks');
    assert.equal(actionName(names, 'allow read write'), 'Application allowed: read write');
    assert.match(actionName(names, 'end oauth grant: given back'), /^What an application may do ended: given back$/);
    assert.equal(actionName(names, 'constructor'), 'constructor');
  });

  it('offers every action once, by name, and the one that an address asks for', () => {
    const values = actionChoices(de, 'made elsewhere').map(({ value }) => value);
    assert.equal(new Set(values).size, Object.keys(en.record.actions).length + 1);
    assert.ok(values.includes('made elsewhere'));
    assert.equal(actionChoices(de, '').length, values.length - 1);
    const texts = actionChoices(de, undefined).map(({ text }) => text);
    assert.equal(new Set(texts).size, texts.length);
    assert.deepEqual(
      texts,
      texts.toSorted((a, b) => a.localeCompare(b, 'de')),
    );
  });
});
