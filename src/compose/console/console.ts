import { join } from 'node:path';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { runForPerson } from '../../api/portal/forPerson.ts';
import type { PortalServices } from '../../api/portal/route.ts';
import { pageHeaders } from '../../api/http/pageHeaders.ts';
import { performAs, type Service } from '../../api/http/pipeline.ts';
import { clientAddressOf, originOf } from '../../api/http/plainHttp.ts';
import { wireRequest } from '../../api/http/wireRequest.ts';
import {
  clearSession,
  clearStep,
  isSameOrigin,
  ownOrigin,
  sessionOf,
  setSession,
  setStep,
  stepOf,
} from '../../api/session.ts';
import { waitForPlanNews } from '../../automations/plans/news.ts';
import type { ConnectionStatus } from '../../client/status.ts';
import { packageRoot } from '../../kernel/program/packageRoot.ts';
import { requestLog } from '../../api/http/requestLog.ts';
import { serveConsole } from '../../console/serve.ts';
import type { Asking, ConsoleServices, Person, Told } from '../../console/visit.ts';
import type { Visitors } from '../../console/visitors.ts';
import { type Call, type GuardedId, operations } from '../../contract/index.ts';
import type { Operation } from '../../contract/operation.ts';
import { elsewhereProperties } from '../../core/accounts/subAccounts.ts';
import { endSession, sessionHolder, sessionId, type SignedIn } from '../../core/people/sessions.ts';
import { choicesOf, endStep } from '../../core/people/secondFactor/steps.ts';
import { acceptInvite, changePassword, signIn } from '../../core/people/signIn.ts';
import type { Core } from '../../core/context.ts';
import type { Config } from '../../config.ts';
import type { OwnSettings } from '../ownSettings.ts';
import { rowsShownNext, rowsUnannounced } from './changedRows.ts';
import { importJob } from './importJob.ts';
import { Jobs } from './jobs.ts';
import { setupServices } from './setup.ts';
import { simulationJob } from './simulationJob.ts';
import { elsewhere, writableTokens } from './elsewhere.ts';
import { workServices } from './work.ts';
import { ApiError } from '../../kernel/errors.ts';
import type { ConnectionId } from '../../kernel/ids.ts';
import type { Logger } from '../../kernel/log.ts';
import type { MirrorDb } from '../../sync/tables/database.ts';

interface Options extends Service {
  readonly config: Config;
  /** Absent if the process offers no restart. */
  readonly settings: OwnSettings | undefined;
  readonly services: PortalServices;
  readonly db: MirrorDb;
  readonly trustedProxies: readonly string[];
  readonly log: Logger;
}

/** Changes that one signal stands for. */
const MOST_CHANGES = 1_000;

/** Returns how the console is added to the listener: its pages over the mirror, its people by the core's sessions. */
export function consoleOn(options: Options): (app: FastifyInstance) => void {
  const { core, services, db, trustedProxies, log } = options;
  const { mirror, startedAt, version } = services;
  // A page carries the person; what the person may do stays here.
  const people = new WeakMap<Person, SignedIn>();
  const signedIn = (person: Person): SignedIn => {
    const found = people.get(person);
    if (!found) throw new Error('a page was made for nobody');
    return { ...found, operator: { ...found.operator, entrance: 'console' } };
  };
  const kinds = { import: importJob(core, options.config), simulation: simulationJob(core) };
  const jobs = new Jobs({ core, log, kinds });
  const setup = setupServices({ ...options, jobs, signedIn });
  const isHere = (connection: ConnectionId) => mirror.isBeside(connection);
  const writers = writableTokens(mirror, core.clock);
  const pages: ConsoleServices = {
    setup,
    db,
    version,
    startedAt,
    alarms: ({ accountId }) => services.alarmsFor(accountId),
    now: () => core.clock.now(),
    connectionsOf: (accountId) => mirror.connectionsOf(accountId),
    isHere,
    async lookingAt(person, connection) {
      if (person.properties === null || isHere(connection)) return person;
      const { accountId, operatorId } = person;
      const properties = await elsewhereProperties(core.store.db, { accountId, operatorId, connection });
      const seeing = { ...person, properties };
      people.set(seeing, signedIn(person));
      return seeing;
    },
    isReadOnly: async (connection) => !isHere(connection) && writers.isReadOnly(connection),
    status: async (connection) => (await mirror.status(connection)) as ConnectionStatus,
    async changesAfter(connection, after, waitMs, signal) {
      const rows = await mirror.changes(connection, { after, limit: MOST_CHANGES, waitMs }, signal);
      return rows.map(({ seq }) => seq);
    },
    planNews: (connection, seen, waitMs, signal) =>
      waitForPlanNews({ db, clock: core.clock }, { connection, seen, waitMs }, signal),
    work: workServices(core, mirror),
    async v3(from, id, input) {
      const data = isHere(from.connection)
        ? await here(options, signedIn(from.person), from, id, input)
        : await elsewhere(mirror, from, id, input);
      const changed = isHere(from.connection)
        ? rowsUnannounced(id, { input, data })
        : await rowsShownNext(db, from.connection, id, { input, data });
      if (changed.length > 0) await mirror.readAgain(from.connection, changed);
      return data;
    },
    portal: ({ person }, name, fields) =>
      runForPerson(services, { caller: { kind: 'token', ...signedIn(person), forAccount: true }, name, fields }),
  };
  const assets = join(packageRoot(), 'dist', 'console');
  const visitors = visitorsOf(core, trustedProxies, people);
  const logOf = (request: FastifyRequest) => requestLog(log, request);
  return (app) => {
    app.addHook('onReady', () => jobs.start());
    app.addHook('onClose', () => jobs.stop());
    serveConsole(app, { services: pages, visitors, assets, random: core.random, logOf });
  };
}

/** Runs an operation in the core beside, through the pipeline of v3, as the person. */
async function here<Id extends GuardedId>(
  service: Service,
  who: SignedIn,
  { once }: Asking,
  id: Id,
  input: Call<Id>,
): Promise<Told<Id>> {
  const operation: Operation = operations[id];
  // Null means a value that is taken away; a field that is undefined is not sent.
  const given = Object.entries(input as object).filter(([, value]) => value !== undefined);
  const request = wireRequest(operation, Object.fromEntries(given));
  const key = once === undefined || operation.method !== 'POST' ? {} : { idempotencyKey: `${once}-${id}` };
  return (await performAs(service, id, who, { ...request, ...key })) as Told<Id>;
}

/** @throws ApiError 401 if no sign-in is under way on this browser */
function requireStep(request: FastifyRequest): string {
  const secret = stepOf(request);
  if (secret === undefined) throw new ApiError(401, 'Begin with login and password.');
  return secret;
}

function visitorsOf(core: Core, trustedProxies: readonly string[], people: WeakMap<Person, SignedIn>): Visitors {
  const origin = originOf(trustedProxies);
  const welcome: (...given: Parameters<Visitors['signOut']>) => (secret: string) => Promise<void> =
    (request, reply) => async (secret) => {
      const earlier = sessionOf(request);
      if (earlier !== undefined) await endSession(core, earlier);
      setSession(request, reply, secret);
    };
  return {
    async personOf(request) {
      const secret = sessionOf(request);
      const who = secret === undefined ? undefined : await sessionHolder(core, secret);
      if (!who) return undefined;
      const { account, operator, visible, role } = who;
      const person: Person = {
        account: account.name,
        accountId: account.account_id,
        operatorId: operator.id,
        name: operator.name,
        role,
        properties: visible === null ? null : [...visible],
        sessionId: sessionId(secret ?? ''),
      };
      people.set(person, who);
      return person;
    },
    async signIn(request, reply, given) {
      const agent = request.headers['user-agent'];
      const { kind, secret } = await signIn(core, { ...given, agent, ...origin(request) });
      if (kind === 'session') await welcome(request, reply)(secret);
      else setStep(request, reply, secret);
      return kind;
    },
    choices: async (request) => choicesOf(core, requireStep(request), { origin: ownOrigin(request) }),
    async secondStep(request, reply, given) {
      const where = { site: { origin: ownOrigin(request) }, agent: request.headers['user-agent'], ...origin(request) };
      const secret = await endStep(core, requireStep(request), { ...given, ...where });
      clearStep(request, reply);
      await welcome(request, reply)(secret);
    },
    async changePassword(request, reply, given) {
      const who = await sessionHolder(core, sessionOf(request) ?? '');
      if (!who) throw new ApiError(401, 'Nobody is signed in.');
      await welcome(request, reply)(await changePassword(core, who, { ...given, ...origin(request) }));
    },
    originOf: ownOrigin,
    addressOf: clientAddressOf(trustedProxies),
    async accept(request, reply, given) {
      await welcome(request, reply)(await acceptInvite(core, given));
    },
    async signOut(request, reply) {
      const secret = sessionOf(request);
      if (secret !== undefined) await endSession(core, secret);
      clearSession(request, reply);
    },
    isOurs: isSameOrigin,
    headers: pageHeaders,
  };
}
