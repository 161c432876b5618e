import assert from 'node:assert/strict';
import { it } from 'node:test';
import { describeAlerts } from './describeAlerts.ts';
import { faultsAround } from './faults.ts';
import { promtool, RULES } from './promtool.ts';

it('promtool finds no mistake in the rules', async () => {
  const { code, output } = await promtool('check', 'rules', '--lint-fatal', RULES);
  assert.equal(code, 0, output);
});

describeAlerts('alerts about the core and what follows the mirror', faultsAround);
