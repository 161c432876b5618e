import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { parse } from 'yaml';
import { z } from 'zod';
import { ALARM_KINDS } from '../../src/compose/health/alarms.ts';
import { TROUBLE_SUBJECTS } from '../../src/sync/connection/troubles/trouble.ts';
import { apart, faultsAround, faultsInside } from './faults.ts';
import { dashboard, shownMetrics } from './dashboard.ts';
import { declaredMetrics } from './declared.ts';

const file = (path: string) => new URL(`../../${path}`, import.meta.url);
const DASHBOARD = file('deploy/grafana/stayd.json');
/** Subjects that are only worth knowing. */
const NOTES: readonly string[] = ['conversations', 'unknown fields'];

const ruleFile = z.object({
  groups: z.array(
    z.object({
      rules: z.array(
        z.object({
          alert: z.string(),
          expr: z.string(),
          for: z.string().optional(),
          labels: z.strictObject({ severity: z.enum(['critical', 'warning']) }),
          annotations: z.strictObject({ summary: z.string().min(1), runbook: z.string() }),
        }),
      ),
    }),
  ),
});
const text = readFileSync(file('deploy/prometheus/rules.yaml'), 'utf8');
const rules = ruleFile.parse(parse(text)).groups.flatMap((group) => group.rules);
const page = readFileSync(file('docs/monitoring.md'), 'utf8');

/** Names of our metrics in an expression. */
function namesIn(expression: string): string[] {
  return [...expression.matchAll(/\bstayd_[a-z0-9_]+/g)].map(([name]) => name);
}

/** Names under which a declared metric has series. */
const series = new Set(
  declaredMetrics.flatMap(({ name, type }) =>
    type === 'histogram' ? [`${name}_bucket`, `${name}_sum`, `${name}_count`] : [name],
  ),
);
/** What prom-client measures by itself; alerts.slow.test.ts sees it in a running service. */
const ofProcess = /^stayd_(process|nodejs)_/;

describe('the rules of alerts', () => {
  it('have one name each, and an exact section of the page with the remedy', () => {
    const names = rules.map(({ alert }) => alert);
    assert.deepEqual(names, [...new Set(names)]);
    const sections = [...page.matchAll(/^### (Stayd\w+)$/gm)].map(([, name = '']) => name);
    assert.deepEqual(sections.toSorted(), names.toSorted());
    for (const { alert, annotations } of rules) {
      assert.equal(annotations.runbook, `docs/monitoring.md#${alert.toLowerCase()}`);
      assert.match(annotations.summary, /\{\{ \$labels\.(instance|endpoint|alarm) \}\}/, alert);
    }
  });

  it('the page says which alerts are critical', () => {
    const said = [...page.matchAll(/^### (Stayd\w+)\n\nCritical\./gm)].map(([, name = '']) => name);
    const critical = rules.filter(({ labels }) => labels.severity === 'critical').map(({ alert }) => alert);
    assert.deepEqual(said.toSorted(), critical.toSorted());
  });

  it('ask for metrics that are declared, by labels that these have', () => {
    for (const { alert, expr } of rules) {
      for (const name of namesIn(expr)) assert.ok(series.has(name) || ofProcess.test(name), `${alert}: ${name}`);
      for (const [, name = '', where = ''] of expr.matchAll(/\b(stayd_\w+)\{([^}]*)\}/g)) {
        const labels = declaredMetrics.find((one) => one.name === name)?.labels ?? [];
        const asked = [...where.matchAll(/(\w+)(?:=~|!=|!~|=)"/g)].map(([, label = '']) => label);
        assert.ok(asked.length > 0, `${alert}: ${where}`);
        for (const label of asked) assert.ok(labels.includes(label), `${alert}: ${name} has no label ${label}`);
      }
    }
  });

  it('have one for each kind of alarm, and for each subject of trouble that is more than a note', () => {
    const all = rules.map(({ expr }) => expr).join('\n');
    for (const kind of ALARM_KINDS) {
      const isSubject = TROUBLE_SUBJECTS.some((one) => one === kind);
      if (!isSubject) assert.ok(all.includes(`stayd_alarm{kind="${kind}"}`), kind);
    }
    for (const subject of TROUBLE_SUBJECTS.filter((one) => !NOTES.includes(one))) {
      // How old the data are is known by part.
      const asked = subject === 'freshness' ? 'stayd_mirror_data_age_seconds' : `="${subject}"`;
      assert.ok(all.includes(asked), subject);
    }
  });

  it('are each shown to fire by a fault', () => {
    const shown: string[] = [...apart, ...[...faultsAround, ...faultsInside].map(({ alert }) => alert)];
    assert.deepEqual(shown.toSorted(), rules.map(({ alert }) => alert).toSorted());
  });

  it('no metric has a label that Prometheus gives to every series', () => {
    for (const { name, labels } of declaredMetrics)
      assert.ok(!labels.includes('job') && !labels.includes('instance'), name);
  });
});

describe('the dashboard', () => {
  it('shows every metric once', () => {
    assert.deepEqual(shownMetrics.toSorted(), declaredMetrics.map(({ name }) => name).toSorted());
  });

  it('asks for metrics that are declared', () => {
    const names = namesIn(JSON.stringify(dashboard()));
    assert.ok(names.length > declaredMetrics.length);
    for (const name of names) assert.ok(series.has(name) || ofProcess.test(name), name);
  });

  it('is up to date', () => {
    const made = `${JSON.stringify(dashboard(), null, 2)}\n`;
    if (process.env['UPDATE_DOCS']) writeFileSync(DASHBOARD, made);
    assert.equal(readFileSync(DASHBOARD, 'utf8'), made, 'run this test once with UPDATE_DOCS=1');
  });
});
