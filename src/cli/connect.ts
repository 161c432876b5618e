import { readFileSync } from 'node:fs';
import type { Command } from 'commander';
import type { FirstContact } from '../compose/connect/firstContact.ts';

import { runningControl } from '../compose/forCommand.ts';
import { hasServed } from '../compose/privacy/privateFiles.ts';
import type { Config } from '../config.ts';
import { systemClock } from '../kernel/clock.ts';
import { messageOf, UsageError } from '../kernel/errors.ts';
import type { CliContext } from './context.ts';
import { contactText, foresightText, readText } from './connectText.ts';
import { followFirstRead, withNewSettings } from './firstRead.ts';
import { jsonText } from './output.ts';
import { portalAt } from './portal.ts';

interface Options {
  token?: string;
  tokenFile?: string;
  name?: string;
  profile?: string;
  timeZone?: string;
  currency?: string;
  publicUrl?: string;
  webhookSecret?: string;
  trustFirstSecret?: true;
  withCore?: true;
  replace?: true;
  plan?: true;
  read: boolean;
  yes?: true;
  json?: true;
}

/** Adds `stayd connect`: contacts another deployment, foresees the cost, writes the settings and reads the account. */
export function connectCommand(program: Command, context: CliContext): void {
  program
    .command('connect')
    .description('mirror another deployment: finds its dialect, shows the cost, writes the settings and reads it')
    .argument('[url]', 'its address, with or without /v3 (default: asks for it)')
    .option('--token <token>', 'an access token of it; other users of this machine can see it in the command line')
    .option('--token-file <file>', 'a file that contains the token; - for standard input')
    .option('--name <name>', 'name of the connection (default: its host)')
    .option('--profile <profile>', 'its dialect (default: the profile that fits best)')
    .option('--time-zone <zone>', 'of the operator, such as Europe/Berlin, where the deployment does not say')
    .option('--currency <code>', 'of the operator, such as EUR, where the deployment does not say')
    .option('--public-url <url>', 'where that deployment reaches this stayd, to send it events')
    .option(
      '--webhook-secret <secret>',
      'of a webhook that was made there by hand, or whose secret no operation returns',
    )
    .option('--trust-first-secret', 'take the secret from the first delivery')
    .option('--with-core', 'also keep a core for bookings of your own (default for a new stayd: mirror only)')
    .option('--replace', 'replace a connection of this name, to set a new token or address')
    .option('--plan', 'only check and show the cost; nothing is written')
    .option('--no-read', 'write the settings without reading')
    .option('--yes', 'do not ask for confirmation')
    .option('--json', 'as JSON')
    .action((url: string | undefined, options: Options) => connect(url, options, context));
}

async function connect(given: string | undefined, options: Options, context: CliContext): Promise<void> {
  const { addressOf, tokenFrom } = await import('../compose/connect/address.ts');
  const config = await context.loadConfig();
  const url = addressOf(
    given ?? (await asked(context, 'Address of the other deployment: ', 'url', 'give its address')),
  );
  const place = await placeOf(config, { url, options, context });
  const token = tokenFrom(await tokenOf(options, context));
  const asking = { config, url, token, profile: options.profile, clock: systemClock, signal: context.signal };
  const { firstContact } = await import('../compose/connect/firstContact.ts');
  const contact = await firstContact(asking);
  if (!options.json) context.out(contactText(url, contact));
  const connection = await connectionFor({ url, token, contact, options, context });
  const { foresee } = await import('../compose/connect/foresee.ts');
  const foresight = await foresee(config, { name: place.name, connection, clock: systemClock });
  if (!options.json) context.out(foresightText(foresight, connection));
  const report = { url, name: place.name, ...contact, foresight };
  if (options.plan) return print(context, options, { ...report, written_to: null, first_read: null });
  await requireConsent(place, options, context);
  const written = await save(config, { place, connection, options });
  if (!options.json) context.out(`\nwritten to ${place.file}, as connections.${place.name}`);
  if (!options.read) {
    if (!options.json)
      context.out(place.running ? 'it is read when the service is restarted' : './stayd start reads it');
    return print(context, options, { ...report, written_to: place.file, first_read: null });
  }
  const planned = 'first_read' in foresight ? foresight.first_read.requests : 0;
  const read = await withNewSettings(written, context, (portal) =>
    followFirstRead(portal, { name: place.name, planned, context, quiet: options.json === true }),
  );
  if (!options.json) context.out(readText(place.name, read, place.running));
  print(context, options, { ...report, written_to: place.file, first_read: read });
}

function print(context: CliContext, { json }: Options, report: object): void {
  if (json) context.out(jsonText(report));
}

interface Place {
  name: string;
  file: string;
  /** True if a service runs on this data directory. */
  running: boolean;
}

/**
 * Returns name and file of the new connection.
 * @throws UsageError if the connection exists, the address is the core of this process, or the running service reads
 * its settings from another file
 */
async function placeOf(
  config: Config,
  { url, options, context }: { url: string; options: Options; context: CliContext },
): Promise<Place> {
  const { isOfOwnCore, nameFor } = await import('../compose/connect/address.ts');
  const taken = { ...(config.upstream.url !== null && { upstream: config.upstream.url }), ...urlsOf(config) };
  const known = Object.entries(taken).find(([, one]) => bare(one) === bare(url))?.[0];
  const name = options.name ?? (options.replace ? known : undefined) ?? nameFor(url, ['local', ...Object.keys(taken)]);
  const isOwn = isOfOwnCore(name);
  if (!/^[a-z0-9_-]{1,40}$/.test(name) || isOwn) {
    throw new UsageError(
      `--name: "${name}" cannot be the name of a connection`,
      isOwn
        ? 'so begin the names of accounts of the core beside the daemon'
        : 'small letters, digits, - and _, 40 at most',
    );
  }
  if (!options.replace && !options.plan && (known !== undefined || name in taken)) {
    const there = known ?? name;
    throw new UsageError(
      `connections.${there} is there already, for ${taken[there as keyof typeof taken]}`,
      `--replace writes over it; ./stayd status --connection ${there} says how it is`,
    );
  }
  const { ownConfigFile } = await import('../config.ts');
  const { file } = ownConfigFile();
  const control = await runningControl(config);
  if (!control) return { name, file, running: false };
  if (bare(control.url) === bare(url)) {
    throw new UsageError('url: that is the core beside this daemon', 'it is mirrored already, as the connection local');
  }
  const running = await portalAt(control, context.signal).get<{ own_file: string | null }>('/portal/settings');
  if (running.own_file !== null && running.own_file !== file) {
    throw new UsageError(
      `the running service takes its settings from ${running.own_file}, this command would write to ${file}`,
      `give the command the same: STAYD_CONFIG=${running.own_file} ./stayd connect …`,
    );
  }
  return { name, file, running: true };
}

function urlsOf({ connections }: Config): Record<string, string> {
  return Object.fromEntries(Object.entries(connections).map(([name, one]) => [name, one.url]));
}

function bare(url: string): string {
  return url
    .replace(/(?<!\/)\/+$/, '')
    .replace(/\/v3$/, '')
    .replace('//localhost', '//127.0.0.1');
}

async function tokenOf({ token, tokenFile }: Options, context: CliContext): Promise<string> {
  if (token !== undefined && tokenFile !== undefined)
    throw new UsageError('--token and --token-file exclude each other');
  if (token !== undefined) return token;
  if (tokenFile === undefined) return asked(context, 'Access token (not shown): ', 'token', 'give --token-file', true);
  try {
    return readFileSync(tokenFile === '-' ? 0 : tokenFile, 'utf8');
  } catch (error) {
    throw new UsageError(`--token-file: cannot read ${tokenFile}: ${messageOf(error)}`, undefined, error);
  }
}

function asked(context: CliContext, question: string, field: string, hint: string, unseen = false): Promise<string> {
  if (!context.ask) throw new UsageError(`${field}: is missing, and nobody can be asked here`, hint);
  return context.ask(question, { unseen });
}

interface Contacted {
  url: string;
  token: string;
  contact: FirstContact;
  options: Options;
  context: CliContext;
}

/** Returns the settings of the connection, and asks for those that neither options nor deployment supply. */
async function connectionFor({ url, token, contact, options, context }: Contacted): Promise<Record<string, unknown>> {
  const { account, profile } = contact;
  const ask = async (question: string, given: string | undefined, known: string | null) => {
    if (given !== undefined || known !== null || !context.ask || options.yes) return given;
    return (await context.ask(question)).trim() || undefined;
  };
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const timeZone = await ask(
    `The operator's time zone, such as ${zone}; empty: UTC: `,
    options.timeZone,
    account.time_zone,
  );
  const currency = await ask(
    "The operator's currency, such as EUR; empty: unknown: ",
    options.currency,
    account.currency,
  );
  const connection = {
    url,
    token,
    profile,
    ...(timeZone !== undefined && { time_zone: timeZone }),
    ...(currency !== undefined && { currency }),
    ...(options.publicUrl !== undefined && { public_url: options.publicUrl }),
    ...(options.webhookSecret !== undefined && { webhook_secret: options.webhookSecret }),
    ...(options.trustFirstSecret && { trust_first_secret: true }),
  };
  const { connectionOf } = await import('../config.ts');
  connectionOf(connection);
  return connection;
}

async function requireConsent({ file, name }: Place, { yes }: Options, context: CliContext): Promise<void> {
  if (yes || !context.ask) return;
  const answer = await context.ask(`\nWrite connections.${name} into ${file}, and read it? Type yes to go on: `);
  if (answer.trim() !== 'yes') throw new UsageError('nothing was written', 'answer yes, or look with --plan');
}

interface ToSave {
  place: Place;
  connection: Record<string, unknown>;
  options: Options;
}

/**
 * Writes the connection. A data directory that has never served gets the roles of a pure mirror unless `--with-core` is
 * given.
 */
async function save(config: Config, { place, connection, options }: ToSave): Promise<Config> {
  const { saveConnection } = await import('../compose/connect/save.ts');
  const isNew = !place.running && !hasServed(config.data_dir);
  const more = isNew && !options.withCore ? { roles: ['receive', 'work', 'schedule', 'console'] } : {};
  const { loadConfig } = await import('../config.ts');
  return saveConnection({ file: place.file, name: place.name, connection, more, loadConfig });
}
