import type { AutomationServices, RuleFileServices } from '../../api/portal/route.ts';
import type { AutomationSettings, NoticeOrder, Posted, PostToHook } from '../../automations/context.ts';
import { quietHours } from '../../automations/rules/durations.ts';
import type { AiSettings } from '../../automations/ai/settings.ts';
import { type Topic, topicNames } from '../../automations/ai/topics.ts';
import { ReadOnlyPlanService } from '../../automations/readOnly.ts';
import type { PlanService } from '../../automations/planService.ts';
import { type Automations, startAutomations } from '../../automations/start.ts';
import type { Config } from '../../config.ts';
import type { Clock } from '../../kernel/clock.ts';
import { readInstant } from '../../kernel/dates.ts';
import { invalid, UsageError } from '../../kernel/errors.ts';
import type { ConnectionId } from '../../kernel/ids.ts';
import type { Logger } from '../../kernel/log.ts';
import { type DeliveryOutcome, deliverWebhook, type Sender, webhookSender } from '../../outbound/deliver.ts';
import type { ModelCaller } from '../../outbound/askModel.ts';
import type { Daemon } from '../../sync/connection/daemon.ts';
import type { MirrorStore } from '../../sync/tables/database.ts';
import type { Fingerprint } from '../../sync/privacy/erasure/subjects.ts';
import { openModel } from './model.ts';
import { readRuleFiles, ruleFileServices } from './ruleFiles.ts';
import type { Ports } from '../ports.ts';

/** Milliseconds for a receiver of a signed post to answer. */
const POST_LIMIT_MS = 15_000;

interface AutomationsOptions {
  store: MirrorStore;
  config: Config;
  ports: Ports;
  log: Logger;
  userAgent: string;
  fingerprint: Fingerprint;
}

type Notify = (connection: ConnectionId, order: NoticeOrder) => Promise<string | undefined>;

/** The automations of all connections of this process. */
export interface OpenAutomations {
  services: AutomationServices;
  files: RuleFileServices;
  /**
   * @param acts true if this process carries out rules; it answers questions in any case
   * @param notify tells places of something; returns why some of it cannot be told
   */
  start(daemon: Daemon, acts: boolean, notify: Notify): void;
  /** @param isBeside true if the core of this process has the data of the connection */
  add(connection: ConnectionId, isBeside: boolean): Promise<void>;
  remove(connection: ConnectionId): Promise<void>;
  stop(): Promise<void>;
}

export function openAutomations(options: AutomationsOptions): OpenAutomations {
  const { store, config, ports, log, userAgent, fingerprint } = options;
  const checked = settingsOf(config, null);
  const running = new Map<ConnectionId, Automations>();
  let open: ((connection: ConnectionId, isBeside: boolean) => Promise<void>) | undefined;
  const planServices = new Map<ConnectionId, PlanService>();
  const files = sharedFiles(config, ports.clock);
  let sender: Sender | undefined;
  let model: ModelCaller | undefined;
  const get = (connection: ConnectionId): PlanService => {
    const one = planServices.get(connection);
    if (!one) throw new UsageError('automations are not there yet: stayd is starting');
    return one;
  };
  return {
    services: servicesOf(get),
    files: ruleFileServices(config, async () => {
      files.forget();
      for (const one of running.values()) await one.reload();
    }),
    start(daemon, acts, notify) {
      const post = (sender = webhookSender({
        policy: { allow: config.outbound.allow },
        clock: ports.clock,
        userAgent,
        limitMs: POST_LIMIT_MS,
      }));
      model = openModel(config, { clock: ports.clock, userAgent });
      const settings = { ...checked, ai: model ? aiSettings(config, model) : null };
      open = async (connection, isBeside) => {
        const { askGuestLink, ...source } = daemon.link(connection);
        const link = {
          ...ports,
          store,
          connection,
          ...source,
          guestLinkOf: isBeside ? askGuestLink : undefined,
          log,
          settings,
          post: postBy(post),
          notify: (order: NoticeOrder) => notify(connection, order),
          keyedHash: fingerprint,
          by: ports.ids(),
          readFiles: () => files.read(),
        };
        if (!acts) {
          planServices.set(connection, new ReadOnlyPlanService(link));
          return;
        }
        const automations = await startAutomations(link);
        running.set(connection, automations);
        planServices.set(connection, automations);
      };
    },
    async add(connection, isBeside) {
      if (!open) throw new Error('automations have not started yet');
      await open(connection, isBeside);
    },
    async remove(connection) {
      planServices.delete(connection);
      await running.get(connection)?.stop();
      running.delete(connection);
    },
    async stop() {
      open = undefined;
      await Promise.all([...running.values()].map((one) => one.stop()));
      running.clear();
      planServices.clear();
      await sender?.close();
      await model?.close();
    },
  };
}

/** Milliseconds for which one look at the files of rules serves all connections. */
const LOOK_MS = 1_000;

/** Reads the files of rules for all connections together, which each look at them every few seconds. */
function sharedFiles(config: Config, clock: Clock) {
  let known: { at: number; files: ReturnType<typeof readRuleFiles> } | undefined;
  return {
    read() {
      const at = clock.monotonic();
      if (!known || at - known.at >= LOOK_MS) known = { at, files: readRuleFiles(config) };
      return known.files;
    },
    /** Lets the next look read the files again. */
    forget: () => (known = undefined),
  };
}

function servicesOf(get: (connection: ConnectionId) => PlanService): AutomationServices {
  return {
    list: (connection) => get(connection).list(),
    pending: (connection, question) => get(connection).pending(question),
    test: (connection, { since, ...question }) => {
      const from = readInstant(since, 'UTC');
      if (from === undefined) throw invalid('since', 'must be a date or a moment such as 2027-03-01');
      return get(connection).test({ ...question, since: from });
    },
    log: (connection, question) => get(connection).log(question),
    approve: (connection, planId, given) => get(connection).approve(planId, given),
    cancel: (connection, planId, given) => get(connection).cancel(planId, given),
    pause: (connection, rule) => get(connection).pause(rule),
    resume: (connection, rule) => get(connection).resume(rule),
    disarm: (connection) => get(connection).disarm(),
    arm: (connection) => get(connection).arm(),
  };
}

function settingsOf({ automations }: Config, ai: AiSettings | null): AutomationSettings {
  const quiet = quietHours.safeParse(automations.quiet);
  if (!quiet.success) throw new UsageError(`automations.quiet: ${quiet.error.issues[0]?.message}`);
  return {
    quiet: quiet.data,
    usual: { check_in: automations.check_in_time, check_out: automations.check_out_time },
    language: automations.language,
    paidByChannel: automations.paid_by_channel,
    secretFields: automations.secret_fields,
    hooks: automations.hooks,
    ai,
    keepDays: automations.finished_days,
    clockToleranceMs: automations.clock_tolerance_seconds * 1_000,
  };
}

function aiSettings({ ai }: Config, caller: ModelCaller): AiSettings {
  return {
    model: ai.model ?? '',
    budget: { requestsPerDay: ai.requests_per_day, tokensPerDay: ai.tokens_per_day },
    neverAbout: ai.never_about.map(readTopic),
    neverWords: ai.never_words,
    links: ai.links,
    ask: (messages, signal) => caller.ask(messages, signal),
  };
}

function readTopic(name: string): Topic {
  const topic = topicNames.find((one) => one === name);
  if (topic === undefined)
    throw new UsageError(`ai.never_about: ${name} is no topic; there are ${topicNames.join(', ')}`);
  return topic;
}

const UNSURE: ReadonlySet<DeliveryOutcome> = new Set(['timeout', 'connect']);

function postBy(sender: Sender): PostToHook {
  return async ({ url, secret }, eventId, body): Promise<Posted> => {
    const { outcome, status } = await deliverWebhook(sender, { url, eventId, body, secret, signatureOnly: true });
    const detail = status === undefined ? outcome : `${outcome} (${status})`;
    if (outcome === 'delivered') return { outcome, detail };
    return { outcome: UNSURE.has(outcome) ? 'unsure' : 'refused', detail };
  };
}
