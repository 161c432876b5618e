import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { type Config, connectionOf } from '../../config.ts';
import { packageRoot } from '../../kernel/program/packageRoot.ts';
import type { FormFile } from '../../console/formFile.ts';
import type { MailServerDraft, SetupServices } from '../../console/setup/services.ts';
import type { Person } from '../../console/person.ts';
import { listAccounts } from '../../core/accounts/table.ts';
import { noteDown } from '../../core/audit/record.ts';
import type { Core } from '../../core/context.ts';
import type { SignedIn } from '../../core/people/sessions.ts';
import { guessMapping } from '../../imports/guess/guessMapping.ts';
import { importReservations, type ImportReport } from '../../imports/importReservations.ts';
import { readMapping } from '../../imports/readMapping.ts';
import { sleep, systemClock } from '../../kernel/clock.ts';
import { ApiError, messageOf, OperatorError } from '../../kernel/errors.ts';
import type { Logger } from '../../kernel/log.ts';
import { simulate } from '../../sandbox/simulation/simulate.ts';
import { addressOf, nameFor, tokenFrom } from '../connect/address.ts';
import { firstContact } from '../connect/firstContact.ts';
import { saveConnection } from '../connect/save.ts';
import type { OwnSettings } from '../ownSettings.ts';
import { Jobs } from './jobs.ts';
import { saveMailServer, shownMailServer } from './mailServer.ts';

interface SetupOptions {
  readonly core: Core;
  readonly config: Config;
  readonly settings: OwnSettings | undefined;
  readonly log: Logger;
  signedIn(person: Person): SignedIn;
}

const UPLOADS = 'uploads';
/** An id, and the name of the file. */
const UPLOAD = /^[0-9A-Z]{26}\/[\w-][\w.-]*$/;
const UPLOAD_DAYS = 7;
const DAY_MS = 86_400_000;
const CONTACT_MS = 60_000;
const CONFLICTS_SHOWN = 20;
/** Milliseconds for the answer to reach its browser before the service begins again. */
const ANSWER_MS = 500;

/** Returns what Setup does beside the operations that everybody uses. */
export function setupServices(options: SetupOptions): SetupServices {
  const { config, log } = options;
  const jobs = new Jobs(log);
  return {
    propose: (file) => inWords(() => propose(options, file)),
    startImport: (person, given) => inWords(() => startImport(options, jobs, person, given)),
    startSimulation: async (person, order) => startSimulation(options, jobs, person, order),
    job: ({ accountId }) => jobs.of(accountId),
    contact: ({ url, token }) =>
      inWords(async () => {
        await requireSole(options);
        const signal = AbortSignal.timeout(CONTACT_MS);
        const asked = {
          config,
          url: addressOf(url),
          token: tokenFrom(token),
          profile: undefined,
          clock: systemClock,
          signal,
        };
        const { profile, account, writing, refused } = await firstContact(asked);
        return {
          profile,
          account: account.name,
          time_zone: account.time_zone,
          currency: account.currency,
          may_write: writing.allowed,
          refused: refused.map(({ operation, says }) => `${operation}: ${says}`),
        };
      }),
    connect: (person, given) => inWords(() => connect(options, person, given)),
    mailServer: async () => ((await isSole(options)) ? shownMailServer(config) : null),
    setMailServer: (person, draft) => inWords(() => setMailServer(options, person, draft)),
  };
}

async function propose({ config, core }: SetupOptions, file: FormFile) {
  const folder = join(config.data_dir, UPLOADS);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  forgetOld(folder, core.clock.now());
  // Rows are recognised by the name of their file, so it keeps its own, in a folder of its own.
  const upload = `${core.ids()}/${
    file.name
      .replaceAll(/[^\w.-]/g, '_')
      .replace(/^\.+/, '')
      .slice(-60) || 'file'
  }`;
  mkdirSync(join(folder, dirname(upload)), { mode: 0o700 });
  writeFileSync(join(folder, upload), file.bytes, { mode: 0o600 });
  const text = await guessMapping(join(folder, upload), presets());
  const lines = text.split('\n');
  const remarks = lines.filter((line) => line.startsWith('#')).map((line) => line.replace(/^# ?/, ''));
  return {
    upload,
    mapping: lines
      .filter((line) => !line.startsWith('#'))
      .join('\n')
      .trim(),
    remarks,
  };
}

/** Uploads hold names of guests, so they stay no longer than an import needs. */
function forgetOld(folder: string, now: number): void {
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    if (statSync(path).mtimeMs < now - UPLOAD_DAYS * DAY_MS) rmSync(path, { recursive: true, force: true });
  }
}

function presets() {
  const folder = join(packageRoot(), 'config', 'imports');
  return readdirSync(folder)
    .filter((file) => file.endsWith('.yaml'))
    .map((file) => {
      const name = basename(file, '.yaml');
      return { name, mapping: readMapping(readFileSync(join(folder, file), 'utf8'), file) };
    });
}

async function startImport(
  { core, config, signedIn }: SetupOptions,
  jobs: Jobs,
  person: Person,
  given: { upload: string; mapping: string },
): Promise<void> {
  const path = join(config.data_dir, UPLOADS, given.upload);
  if (!UPLOAD.test(given.upload) || !existsSync(path))
    throw new ApiError(404, 'file: is gone; choose it again', { field: 'file' });
  const mapping = readMapping(given.mapping, 'mapping');
  const { account, operator } = signedIn(person);
  jobs.start(person.accountId, {
    kind: 'import',
    async run(progress, signal) {
      const request = {
        path,
        mapping,
        rejectsPath: join(config.data_dir, `${basename(path)}.rejects.csv`),
        announce: true,
      };
      const report = await importReservations(
        core,
        { account, operator },
        request,
        ({ phase, bytes, size, rows }) => progress({ done: bytes, total: size, text: `${phase}: ${rows}` }),
        signal,
      );
      rmSync(path, { force: true });
      return { text: basename(path), facts: factsOf(report) };
    },
  });
}

function factsOf({
  created,
  unchanged,
  changed_rows,
  properties,
  totals,
  conflicts,
}: ImportReport): [string, string][] {
  const { held, cancelled, rejected } = totals;
  const sum = ({ bookings, nights, amount }: typeof cancelled) => {
    const amounts = Object.entries(amount).map(([currency, value]) => `${currency} ${value}`);
    return [String(bookings), String(nights), ...amounts].join(' · ');
  };
  return [
    ['stored', String(created)],
    ['unchanged', String(unchanged)],
    ...(changed_rows > 0 ? [['changed', String(changed_rows)] satisfies [string, string]] : []),
    ['properties', String(properties)],
    ['held', sum(held)],
    ['cancelled', sum(cancelled)],
    ...(rejected.rows > 0 ? [['refused', String(rejected.rows)] satisfies [string, string]] : []),
    ...conflicts
      .slice(0, CONFLICTS_SHOWN)
      .map(({ line, reason }): [string, string] => ['conflict', `${line}: ${reason}`]),
  ];
}

function startSimulation(
  { core, signedIn }: SetupOptions,
  jobs: Jobs,
  person: Person,
  order: { days: number; properties: number },
): void {
  const { account, operator } = signedIn(person);
  jobs.start(person.accountId, {
    kind: 'simulation',
    async run(progress, signal) {
      const seed = core.random.bytes(4).readUInt32BE() >> 1;
      const summary = await simulate(core, {
        owner: { account, operator },
        order: { ...order, seed },
        perMinute: null,
        progress,
        signal,
      });
      const facts = Object.entries(summary.bookings).map(([state, count]): [string, string] => [state, String(count)]);
      return { text: '', facts };
    },
  });
}

async function connect(
  { config, settings, core, log, signedIn }: SetupOptions,
  person: Person,
  { url: given, token: typed, time_zone, currency }: Parameters<SetupServices['connect']>[1],
): Promise<string> {
  const own = requireOwn(settings);
  await requireSole({ core });
  const url = addressOf(given);
  const token = tokenFrom(typed);
  const taken = Object.entries(own.loadConfig().connections);
  const known = taken.find(([, one]) => one.url === url)?.[0];
  const name = known ?? nameFor(url, ['local', 'upstream', ...taken.map(([one]) => one)]);
  const signal = AbortSignal.timeout(CONTACT_MS);
  const contact = await firstContact({ config, url, token, profile: undefined, clock: systemClock, signal });
  const connection = {
    url,
    token,
    profile: contact.profile,
    ...(time_zone !== undefined && { time_zone }),
    ...(currency !== undefined && { currency }),
  };
  connectionOf(connection);
  saveConnection({ file: own.ownFile, name, connection, more: {}, loadConfig: () => own.loadConfig() });
  const after = { host: new URL(url).host, profile: contact.profile };
  await noteDown(core, signedIn(person), {
    action: 'connect deployment',
    subject: `connection:${name}`,
    values: { after },
  });
  reloadSoon(core, own, log);
  return name;
}

async function setMailServer(
  { config, settings, core, log, signedIn }: SetupOptions,
  person: Person,
  draft: MailServerDraft,
): Promise<void> {
  const own = requireOwn(settings);
  await requireSole({ core });
  const before = shownMailServer(config);
  await saveMailServer(config, own, draft);
  const { password: _, ...after } = draft;
  const values = { ...(before && { before }), after };
  await noteDown(core, signedIn(person), { action: 'set mail server', subject: draft.host, values });
  reloadSoon(core, own, log);
}

async function isSole({ core }: Pick<SetupOptions, 'core'>): Promise<boolean> {
  return (await listAccounts(core.store.db)).length === 1;
}

/**
 * The settings are those of the whole service, so with several accounts they are no business of one of them.
 * @throws ApiError 403 where there are several
 */
async function requireSole(options: Pick<SetupOptions, 'core'>): Promise<void> {
  if (await isSole(options)) return;
  throw new ApiError(403, 'Several accounts are here: only whoever runs the service changes this.');
}

/** @throws ApiError 501 if this process takes new settings only at a restart */
function requireOwn(settings: OwnSettings | undefined): OwnSettings {
  if (!settings) throw new ApiError(501, 'This service takes new settings only at a restart.');
  return settings;
}

/** Takes in the new settings when the answer has reached its browser. */
function reloadSoon({ clock }: Core, own: OwnSettings, log: Logger): void {
  sleep(clock, ANSWER_MS, new AbortController().signal)
    .then(() => own.reload())
    .catch((error: unknown) => log.error({ problem: messageOf(error) }, 'the new settings could not be taken in'));
}

/** Says the failures of commands in the words of the API. */
async function inWords<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof OperatorError)) throw error;
    throw new ApiError(422, error.hint === undefined ? error.message : `${error.message}: ${error.hint}`, {
      cause: error,
    });
  }
}
