import type { Config } from '../../config.ts';
import type { Clock } from '../../kernel/clock.ts';
import { messageOf, OperatorError } from '../../kernel/errors.ts';
import { askControl, runningControl } from '../forCommand.ts';
import { lookAtBackups } from './backups.ts';
import { lookAtBroker } from './broker.ts';
import { lookAtComparisons } from './comparisons.ts';
import { lookAtConnections } from './connections.ts';
import { lookAtDeliveries } from './deliveries.ts';
import { lookAtDatabases } from './databases.ts';
import { lookAtDurability } from './durability.ts';
import { lookAtExports } from './exports.ts';
import { lookAtFeeds } from './feeds.ts';
import { lookAtMail } from './mail.ts';
import { type Finding, note, ok, problem } from './finding.ts';
import { lookAtNotices } from './notices.ts';
import { lookAtFolder } from './machine.ts';
import { lookAtModel } from './model.ts';
import { lookAtReplica } from './replica.ts';
import type { Examinations } from './running.ts';
import { compareSettings } from './settings.ts';

export interface Diagnosis {
  /** True if there is no problem. */
  healthy: boolean;
  findings: readonly Finding[];
}

/** Checks everything that can be wrong, with or without a running service. It repairs nothing. */
export async function diagnose(readConfig: () => Config, clock: Clock): Promise<Diagnosis> {
  const findings = await look(readConfig, clock);
  return { healthy: findings.every((one) => one.state !== 'problem'), findings };
}

async function look(readConfig: () => Config, clock: Clock): Promise<Finding[]> {
  let config: Config;
  try {
    config = readConfig();
  } catch (error) {
    const remedy = error instanceof OperatorError ? error.hint : undefined;
    return [problem('configuration', messageOf(error), remedy ?? 'see config/default.yaml')];
  }
  const control = await runningControl(config);
  const running = control?.url;
  const asked = control && (await attempting('service', () => askControl(control, '/portal/examination')));
  const examined = isExamination(asked) ? asked : undefined;
  const findings = [
    ok('configuration', 'every key is known and has a possible value'),
    running === undefined
      ? note('service', 'stayd is not running, so what stands here was looked at alone', './stayd start')
      : ok('service', `stayd answers at ${running}`),
    ...(isFinding(asked) ? [asked] : []),
    ...(control && examined ? compareSettings(config, examined.settings, control.secret) : []),
    ...attempt('data directory', () => lookAtFolder(config.data_dir)),
    await attempting('language model', () => lookAtModel(config, clock)),
    ...[await attempting('backups', () => lookAtBackups(config, clock))].flat(),
  ];
  const databases = await attempting('database', () => lookAtDatabases(config));
  if (!('readable' in databases)) return [...findings, databases];
  findings.push(...databases.findings);
  if (databases.readable.has('core')) {
    const durability = await attempting('durability', () => lookAtDurability(config));
    const deliveries = await attempting('deliveries', () => lookAtDeliveries(config));
    findings.push(...[durability, await attempting('replica', () => lookAtReplica(config)), deliveries].flat());
  }
  if (databases.current.has('core')) {
    const feeds = await attempting('calendar feeds', () => lookAtFeeds(config, clock, running !== undefined));
    findings.push(...[feeds].flat());
    const mail = await attempting('mail', () => lookAtMail(config, clock, running !== undefined));
    findings.push(...[mail].flat());
  }
  if (!databases.readable.has('mirror')) return findings;
  const connections = await attempting('connections', () =>
    lookAtConnections(config, clock, { url: running, examined }),
  );
  const exports = await attempting('scheduled exports', () => lookAtExports(config));
  findings.push(...[connections, exports].flat());
  if (databases.current.has('mirror')) {
    const notices = await attempting('notices', () => lookAtNotices(config, clock));
    const comparisons = await attempting('comparisons', () => lookAtComparisons(config, clock));
    const broker = await attempting('broker', () => lookAtBroker(config));
    findings.push(...[notices, comparisons, broker].flat());
  }
  return findings;
}

function isFinding(value: unknown): value is Finding {
  return typeof value === 'object' && value !== null && 'check' in value;
}

function isExamination(value: unknown): value is Examinations {
  return typeof value === 'object' && value !== null && 'settings' in value && 'connections' in value;
}

function attempt(check: string, work: () => Finding[]): Finding[] {
  try {
    return work();
  } catch (error) {
    return [unexpected(check, error)];
  }
}

/** Runs a check and turns its failure into a finding. */
async function attempting<T>(check: string, work: () => Promise<T>): Promise<T | Finding> {
  try {
    return await work();
  } catch (error) {
    return unexpected(check, error);
  }
}

function unexpected(check: string, error: unknown): Finding {
  return problem(check, messageOf(error), 'it could not be looked at; check the other findings first');
}
