import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { type Config, connectionOf } from '../../config.ts';
import { packageRoot } from '../../kernel/program/packageRoot.ts';
import type { FormFile } from '../../console/formFile.ts';
import { type MailServerDraft, REFUSED_ROWS, type SetupServices } from '../../console/setup/services.ts';
import type { Person } from '../../console/person.ts';
import { listAccounts } from '../../core/accounts/table.ts';
import { noteDown } from '../../core/audit/record.ts';
import type { Core } from '../../core/context.ts';
import type { SignedIn } from '../../core/people/sessions.ts';
import { deleteUploadsBefore, keepUpload, readUpload, uploadName } from '../../core/setup/uploads.ts';
import { guessMapping } from '../../imports/guess/guessMapping.ts';
import { readMapping } from '../../imports/readMapping.ts';
import { sleep, systemClock } from '../../kernel/clock.ts';
import { instantOf } from '../../kernel/dates.ts';
import { ApiError, messageOf, OperatorError } from '../../kernel/errors.ts';
import type { Logger } from '../../kernel/log.ts';
import { addressOf, nameFor, tokenFrom } from '../connect/address.ts';
import { firstContact } from '../connect/firstContact.ts';
import { saveConnection } from '../connect/save.ts';
import type { OwnSettings } from '../ownSettings.ts';
import { fileIsGone, UPLOADS } from './importJob.ts';
import type { Jobs } from './jobs.ts';
import { saveMailServer, shownMailServer } from './mailServer.ts';

interface SetupOptions {
  readonly core: Core;
  readonly config: Config;
  readonly settings: OwnSettings | undefined;
  readonly log: Logger;
  readonly jobs: Jobs;
  signedIn(person: Person): SignedIn;
}

const UPLOAD_DAYS = 7;
const DAY_MS = 86_400_000;
const CONTACT_MS = 60_000;
/** Milliseconds for the answer to reach its browser before the service begins again. */
const ANSWER_MS = 500;

/** Returns what Setup does beside the operations that everybody uses. */
export function setupServices(options: SetupOptions): SetupServices {
  const { config, jobs, signedIn } = options;
  return {
    propose: (person, file) => inWords(() => propose(options, person, file)),
    startImport: (person, given) => inWords(() => startImport(options, person, given)),
    startSimulation: (person, task) => jobs.begin(signedIn(person), { kind: 'simulation', task }),
    job: ({ accountId }) => jobs.of(accountId),
    refusedRows: (person) => refusedRows(options, person),
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

async function propose({ config, core }: SetupOptions, { accountId }: Person, { name: given, bytes }: FormFile) {
  const { clock, store } = core;
  const before = clock.now() - UPLOAD_DAYS * DAY_MS;
  const uploads = join(config.data_dir, UPLOADS);
  mkdirSync(uploads, { recursive: true, mode: 0o700 });
  forgetOld(uploads, before);
  await deleteUploadsBefore(store.db, instantOf(before));
  const name =
    given
      .replaceAll(/[^\w.-]/g, '_')
      .replace(/^\.+/, '')
      .slice(-60) || 'file';
  const folder = join(uploads, core.ids());
  mkdirSync(folder, { mode: 0o700 });
  try {
    writeFileSync(join(folder, name), bytes, { mode: 0o600 });
    const lines = (await guessMapping(join(folder, name), presets())).split('\n');
    return {
      upload: await keepUpload(core, accountId, { name, bytes }),
      mapping: lines
        .filter((line) => !line.startsWith('#'))
        .join('\n')
        .trim(),
      remarks: lines.filter((line) => line.startsWith('#')).map((line) => line.replace(/^# ?/, '')),
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Files hold names of guests, so what a process has left of them stays no longer than an import needs. */
function forgetOld(folder: string, before: number): void {
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    if (statSync(path).mtimeMs < before) rmSync(path, { recursive: true, force: true });
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
  { core, jobs, signedIn }: SetupOptions,
  person: Person,
  { upload, mapping }: { upload: string; mapping: string },
): Promise<void> {
  if ((await uploadName(core.store.db, { accountId: person.accountId, upload })) === undefined) throw fileIsGone();
  readMapping(mapping, 'mapping');
  await jobs.begin(signedIn(person), { kind: 'import', task: { upload, mapping } });
}

async function refusedRows({ core, jobs }: SetupOptions, { accountId }: Person) {
  const [, upload] = (await jobs.of(accountId))?.facts.find(([fact]) => fact === REFUSED_ROWS) ?? [];
  const found = upload === undefined ? undefined : await readUpload(core.store.db, { accountId, upload });
  if (!found) throw new ApiError(404, 'The rows are not kept any more: import the file again.');
  return found;
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
