import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { it } from 'node:test';
import { reasons } from '../../src/automations/reasons.ts';
import { actionNames } from '../../src/automations/rules/actions.ts';
import { conditionList } from '../../src/automations/rules/conditions.ts';
import { fields } from '../../src/automations/rules/fields.ts';
import { readRules } from '../../src/automations/rules/readRules.ts';
import { ruleSchema } from '../../src/automations/rules/rule.ts';
import { readTrigger, triggerExamples } from '../../src/automations/rules/trigger.ts';
import { ruleWords } from '../../src/compose/mirror/ruleWords.ts';

const page = readFileSync(new URL('../../docs/automations.md', import.meta.url), 'utf8');

it('docs/automations.md names every key, condition, action, field and reason, with the meaning that the code has', () => {
  for (const name of Object.keys(ruleSchema.shape)) assert.ok(page.includes(`| \`${name}\` |`), `key ${name}`);
  for (const name of actionNames) assert.ok(page.includes(`| \`${name}: `), `action ${name}`);
  for (const { name, text } of conditionList())
    assert.ok(page.includes(`| \`${name}\` | ${text} |`), `condition ${name}`);
  for (const { name, text, secret } of fields) {
    const row = `| \`${name}\`${secret ? ' (secret)' : ''} | ${text.replaceAll('|', '\\|')} |`;
    assert.ok(page.includes(row), row);
  }
  for (const [name, text] of Object.entries(reasons))
    assert.ok(page.includes(`| \`${name}\` | ${text} |`), `reason ${name}`);
});

it('what the program says of rules names every condition, every action, and times that are some', () => {
  const words = ruleWords();
  for (const { name, text } of conditionList()) assert.match(words, new RegExp(`^  ${name} +`, 'm'), text);
  for (const name of actionNames) assert.ok(words.includes(name), name);
  for (const one of triggerExamples) assert.ok(one.startsWith('{') || readTrigger(one), one);
});

it('the rule that it begins with is one, and so are its times', () => {
  const [, example = ''] = /```yaml\n([^]*?)```/.exec(page) ?? [];
  const text = example.replaceAll(/^ {3}/gm, '');
  const { rules, mistakes } = readRules([{ name: 'welcome.yaml', text }], { hooks: [], secretFields: [], ai: false });
  assert.deepEqual([rules.length, mistakes], [1, []]);
  const [, when = ''] = /\n## When\n([^]*?)\n## If\n/.exec(page) ?? [];
  const cells = [...when.matchAll(/^\| (`[^|]*`) \|/gm)].flatMap(([, cell = '']) =>
    [...cell.matchAll(/`([^`]+)`/g)].map(([, one]) => one ?? ''),
  );
  const times = cells.filter((one) => !one.startsWith('{') && one !== 'when');
  assert.ok(times.length >= 10);
  for (const time of times) assert.ok(readTrigger(time), time);
});
