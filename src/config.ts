import { existsSync } from 'node:fs';
import { z } from 'zod';
import { aiSchema } from './config/ai.ts';
import { backupSchema } from './config/backup.ts';
import { logLevel } from './config/logLevel.ts';
import { exportsSchema } from './config/exports.ts';
import { withFiles } from './config/fileVariables.ts';
import {
  defaultsFile,
  type Environment,
  type Layer,
  type OwnFile,
  overlay,
  ownFile,
  readLayer,
  readYaml,
  setAt,
  valueAt,
} from './config/layers.ts';
import { natsSchema } from './config/nats.ts';
import { hintOfName, issueText, requireSensible } from './config/problems.ts';
import { openTelemetryLayer, tracingSchema } from './config/tracing.ts';
import { type Supervision, supervisionIn } from './config/supervision.ts';
import { isTimeZone } from './kernel/dates.ts';
import { UsageError } from './kernel/errors.ts';
import { isCurrency } from './kernel/money.ts';
import { CLOCK_TIME } from './kernel/quietHours.ts';
import { HEADER_VALUE } from './kernel/signature.ts';
import { yamlOf } from './kernel/yamlValue.ts';

const roles = ['core', 'receive', 'work', 'schedule', 'console'] as const;
export type Role = (typeof roles)[number];

const fraction = z.number().min(0).max(1);
const headerName = z
  .string()
  .regex(/^[A-Za-z0-9-]+$/, { error: 'must be a header name' })
  .transform((name) => name.toLowerCase());

/** A host in the spelling of URLs: in lower case, an IPv6 address in brackets. */
const hostName = z
  .string()
  .refine((name) => URL.canParse(`http://${name}`) && new URL(`http://${name}`).host === name.toLowerCase(), {
    error: 'must be the name of a host, without https:// and port',
  })
  .transform((name) => name.toLowerCase());

const HEADER_ERROR = { error: 'has characters that no header can carry (line ends, blanks at its ends, …)' };

/** null for ever. */
const keptDays = z.int().min(1).max(36_500).nullable();

const oauthAccess = z.strictObject({
  issuer: z
    .url({ protocol: /^https?$/, error: 'must be an http or https address' })
    .nullable()
    .default(null),
  client_id: z.string().min(1),
  client_secret: z.string().min(1).nullable().default(null),
  refresh_token: z.string().min(1),
});

/** Reconciliations at certain times; their users check the values. */
const reconcile = z.strictObject({
  schedules: z.array(
    z.strictObject({
      resource: z.string().min(1),
      cron: z.string().min(1),
      zone: z.string().refine(isTimeZone, { error: 'must be an IANA time zone such as Europe/Berlin' }).optional(),
    }),
  ),
});

const connection = z.strictObject({
  url: z.url({ protocol: /^https?$/, error: 'must be an http or https address' }),
  token: z.string().min(1).nullable().default(null),
  oauth: oauthAccess.nullable().default(null),
  profile: z.string().default('described'),
  time_zone: z
    .string()
    .refine(isTimeZone, { error: 'must be an IANA time zone such as Europe/Berlin' })
    .nullable()
    .default(null),
  currency: z.string().refine(isCurrency, { error: 'must be an ISO 4217 code such as EUR' }).nullable().default(null),
  account: z.string().min(1).max(100).nullable().default(null),
  webhook_authentication: z.enum(['token', 'signature', 'both']).nullable().default(null),
  webhook_secret: z.string().min(1).regex(HEADER_VALUE, HEADER_ERROR).nullable().default(null),
  trust_first_secret: z.boolean().default(false),
  public_url: z.url().nullable().default(null),
  respect_limits: z.boolean().default(true),
  reconcile: reconcile.default({ schedules: [] }),
});

const CLOCK_ERROR = { error: 'must be a time such as "15:00", in quotes' };

const MAIL_FROM = /^(?:[^<>\r\n]{1,100} )?<?[^\s<>@]{1,64}@[^\s<>@]{1,255}>?$/;
const MAIL_FROM_ERROR = {
  error: 'must be an address such as reception@rooms.example or Sea View <reception@rooms.example>',
};

const hook = z.strictObject({
  url: z.url({ protocol: /^https?$/, error: 'must be an http or https address' }),
  secret: z.string().min(16, { error: 'must be 16 characters or more' }).regex(HEADER_VALUE, HEADER_ERROR),
});

/** Every key of the configuration; `config/default.yaml` explains each. */
export const configSchema = z.strictObject({
  port: z.int().min(0).max(65_535),
  host: z.string().min(1),
  data_dir: z.string().min(1),
  database_url: z.string().min(1).nullable(),
  database_replica_url: z.string().min(1).nullable(),
  roles: z.array(z.enum(roles)).min(1),
  secret_key: z.string().min(1).nullable(),
  log_level: logLevel,
  log_format: z.enum(['auto', 'pretty', 'json']),
  tls: z.strictObject({ cert: z.string().nullable(), key: z.string().nullable() }),
  public_url: z.url({ protocol: /^https?$/, error: 'must be an http or https address' }).nullable(),
  inner_url: z.url({ protocol: /^https?$/, error: 'must be an http or https address' }).nullable(),
  drain_seconds: z.int().min(0).max(600),
  trusted_proxies: z.array(z.string()),
  security_contact: z
    .url({ protocol: /^(?:https|mailto|tel)$/, error: 'must be an address such as mailto:security@rooms.example' })
    .nullable(),
  token_headers: z.array(headerName),
  account: z.strictObject({
    name: z.string().min(1).max(100),
    time_zone: z.string().refine(isTimeZone, { error: 'must be an IANA time zone such as Europe/Berlin' }),
    currency: z.string().refine(isCurrency, { error: 'must be an ISO 4217 code such as EUR' }),
    property_quota: z.int().min(1),
  }),
  core: z.strictObject({ dialect: z.string().min(1), outbox_days: z.int().min(1).max(36_500) }),
  guest_pages: z.strictObject({
    open_days: z.int().min(0).max(365),
    registration_days: z.int().min(1).max(3_660),
  }),
  oauth: z.strictObject({
    dynamic_registration: z.boolean(),
    metadata_documents: z.boolean(),
    grant_days: z.int().min(1).max(36_500),
    kept_days: z.int().min(1).max(36_500),
  }),
  limits: z.union([z.enum(['on', 'off']), z.strictObject({ multiply: z.number().positive() })], {
    error: 'must be on, off, or a map such as {multiply: 10}',
  }),
  outbound: z.strictObject({ allow: z.array(z.string()) }),
  payments: z.strictObject({
    stripe_url: z.url({ protocol: /^https?$/, error: 'must be an address such as https://api.stripe.com' }),
  }),
  mail: z.strictObject({
    // Answers of guests and reports of servers about a mail come within weeks.
    log_days: z.int().min(30).max(36_500),
    smtp: z.strictObject({
      host: hostName.nullable(),
      port: z.int().min(1).max(65_535),
      security: z.enum(['starttls', 'tls', 'none']),
      user: z.string().min(1).nullable(),
      password: z.string().min(1).nullable(),
      from: z.string().regex(MAIL_FROM, MAIL_FROM_ERROR).nullable(),
    }),
  }),
  mcp: z.strictObject({
    confirm: z.enum(['ask', 'strict']),
    hosts: z.array(hostName),
    origins: z.array(hostName),
  }),
  faults: z.strictObject({
    drop: fraction,
    double: fraction,
    reorder: fraction,
    delay_ms: z.int().min(0),
    answers: z.strictObject({
      delay_ms: z.int().min(0),
      fail: fraction,
      limit: fraction,
      unknown_code: fraction,
      cut: fraction,
    }),
  }),
  profiles: z.string().min(1),
  upstream: z.strictObject({ ...connection.shape, url: connection.shape.url.nullable() }),
  connections: z.record(z.string().regex(/^[a-z0-9_-]{1,40}$/), connection),
  automations: z.strictObject({
    rules: z.string().min(1),
    quiet: z.string(),
    check_in_time: z.string().regex(CLOCK_TIME, CLOCK_ERROR),
    check_out_time: z.string().regex(CLOCK_TIME, CLOCK_ERROR),
    language: z.string().regex(/^[a-z]{2}(-[A-Z]{2})?$/, { error: 'must be a language such as en or pt-BR' }),
    paid_by_channel: z.array(z.string()),
    secret_fields: z.array(z.string()),
    hooks: z.record(z.string().regex(/^[a-z0-9_-]{1,40}$/), hook),
    clock_tolerance_seconds: z.int().min(5).max(86_400),
    // The ledger has to last longer than the 30 days without repeated texts and the 31 days of rounds.
    finished_days: z.int().min(60).max(36_500).nullable(),
  }),
  ai: aiSchema,
  daemon: z.strictObject({
    history_from: z.iso.date(),
    reconcile,
    retention: z.strictObject({
      event_bodies_days: keptDays,
      changes_days: keptDays,
      versions_days: keptDays,
      messages_days: keptDays,
      scan_days: keptDays,
    }),
  }),
  tracing: tracingSchema,
  exports: exportsSchema,
  nats: natsSchema,
  backup: backupSchema,
});
export type Config = z.output<typeof configSchema>;

export { type Environment, type OwnFile } from './config/layers.ts';

/**
 * Loads the configuration: `config/default.yaml`, over it the user's own file ({@link ownFile}), over it the
 * environment (`STAYD_` and the path of the key in capitals: `faults.drop` is STAYD_FAULTS_DROP), where a variable with
 * `_FILE` at its end names a file with the value.
 * @throws OperatorError with the key, its place, and the allowed values
 */
export function loadConfig(given: Environment = process.env): Config {
  const { environment, writtenAs } = withFiles(given, isVariable);
  const { file, inDataDir } = ownFile(environment);
  const layers = [readLayer(defaultsFile()), openTelemetryLayer(environment)];
  if (!inDataDir || existsSync(file)) layers.push(readLayer(file));
  if (inDataDir) requireStaysThere(layers[2]);
  layers.push(environmentLayer(environment, writtenAs));
  return configOf(layers);
}

/** Completes a connection with the default of each key. @throws UsageError with the wrong key */
export function connectionOf(given: object): Config['connections'][string] {
  const result = connection.safeParse(given);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  throw new UsageError(`${issue?.path.join('.')}: ${issue ? issueText(issue) : 'is wrong'}`);
}

/** Returns the settings file of the user, found in the same way as by {@link loadConfig}. */
export function ownConfigFile(environment: Environment = process.env): OwnFile {
  return ownFile(withFiles(environment, isVariable).environment);
}

/** Returns who supervises this process. */
export function supervision(environment: Environment = process.env): Supervision | undefined {
  return supervisionIn(environment);
}

/** Returns the defaults. */
export function defaultConfig(): Config {
  return configOf([readLayer(defaultsFile())]);
}

/** Refuses `data_dir` in a file that was found in the data directory. */
function requireStaysThere(layer: Layer | undefined): void {
  if (valueAt(layer?.values, ['data_dir']) === undefined) return;
  throw new UsageError(
    `${layer?.origin(['data_dir'])}: data_dir cannot be set in a file that lies in the data directory`,
    'take it out, and name the directory by STAYD_DATA_DIR, or the file by STAYD_CONFIG',
  );
}

function configOf(layers: readonly Layer[]): Config {
  for (const layer of layers) requireKnownKeys(configSchema, layer.values, layer.origin, []);
  const merged = layers.reduce<unknown>((below, layer) => overlay(below, layer.values), {});
  const result = configSchema.safeParse(merged);
  const placeOf = (path: readonly string[]) => {
    const layer = layers.toReversed().find((one) => valueAt(one.values, path) !== undefined);
    return `${layer?.origin(path) ?? 'configuration'}: ${path.join('.')}`;
  };
  if (result.success) {
    requireSensible(result.data, placeOf);
    return result.data;
  }
  const [issue] = result.error.issues;
  // The list reports a fault of its entry.
  const path = (issue?.path ?? []).filter((name) => typeof name === 'string');
  throw new UsageError(`${placeOf(path)}: ${issue ? issueText(issue) : 'is wrong'}`, allowedAt(path));
}

/** Reads the variable of each key that holds a value; a section's own variable holds the whole section as YAML. */
function environmentLayer(environment: Environment, writtenAs: (variable: string) => string): Layer {
  const given: { path: readonly string[]; text: string }[] = [];
  for (const [name, text] of Object.entries(environment)) {
    if (text === undefined || !name.startsWith('STAYD_') || name === FILE_VARIABLE) continue;
    const path = VARIABLES.get(name) ?? connectionPath(name);
    if (!path) {
      const known = [FILE_VARIABLE, ...VARIABLES.keys()].toSorted();
      throw new UsageError(`environment: ${name} is no setting`, hintOfName(name, known, 'allowed are'));
    }
    if (text !== '') given.push({ path, text });
  }
  const values: Record<string, unknown> = {};
  // A section before its keys, which take precedence over it.
  for (const { path, text } of given.toSorted((a, b) => a.path.length - b.path.length))
    setAt(values, path, readVariable(text, path));
  return { values, origin: (path) => `environment variable ${writtenAs(variableOf(path))}` };
}

/** The variable that names the settings file. */
const FILE_VARIABLE = 'STAYD_CONFIG';
/** Each key by its variable, sections before their keys. */
const VARIABLES = new Map(configPaths().map((path) => [variableOf(path), path]));

function isVariable(name: string): boolean {
  return VARIABLES.has(name) || connectionPath(name) !== undefined;
}

/** The variables of one connection, without its name, by the keys they set. */
const CONNECTION_KEYS = new Map(configPaths(connection).map((path) => [path.join('_').toUpperCase(), path]));
const CONNECTION_VARIABLE = new RegExp(
  `^${variableOf(['connections'])}_([A-Z0-9_]+?)_(${[...CONNECTION_KEYS.keys()].join('|')})$`,
);

/** Returns the key that a variable of one connection sets: STAYD_CONNECTIONS_NORTH_TOKEN is connections.north.token. */
function connectionPath(variable: string): string[] | undefined {
  const [, name, key] = CONNECTION_VARIABLE.exec(variable) ?? [];
  const path = CONNECTION_KEYS.get(key ?? '');
  return name === undefined || path === undefined ? undefined : ['connections', name.toLowerCase(), ...path];
}

/** Returns the environment variable that sets a key. */
export function variableOf(path: readonly string[]): string {
  return `STAYD_${path.join('_').toUpperCase()}`;
}

/** Returns the paths of all keys, sections included. */
export function configPaths(schema: z.ZodType = configSchema, path: readonly string[] = []): string[][] {
  const section = bare(schema);
  if (!(section instanceof z.ZodObject)) return [];
  return Object.entries(section.shape as Record<string, z.ZodType>).flatMap(([name, field]) => [
    [...path, name],
    ...configPaths(field, [...path, name]),
  ]);
}

function readVariable(text: string, path: readonly string[]): unknown {
  const given = schemaAt(path);
  const field = given instanceof z.ZodDefault ? given.unwrap() : given;
  if (field instanceof z.ZodString) return text;
  if (field instanceof z.ZodArray && !text.trimStart().startsWith('[')) return text.split(',').map((one) => one.trim());
  // A secret or a URL that looks like a number, or like no YAML at all, remains text.
  if (field instanceof z.ZodNullable && !(bare(field) instanceof z.ZodObject))
    return yamlOf(text).value === null ? null : text;
  return readYaml(text, `environment variable ${variableOf(path)}`);
}

/** Unwraps the schema of a key from its default and from null. */
function bare(schema: z.ZodType): z.ZodType {
  return schema instanceof z.ZodDefault || schema instanceof z.ZodNullable
    ? bare(schema.unwrap() as z.ZodType)
    : schema;
}

function schemaAt(path: readonly string[]): z.ZodType | undefined {
  let schema: z.ZodType | undefined = configSchema;
  for (const name of path) {
    if (schema instanceof z.ZodRecord) schema = schema.valueType as z.ZodType;
    else {
      const section: z.ZodType = bare(schema ?? z.undefined());
      if (!(section instanceof z.ZodObject)) return undefined;
      schema = (section.shape as Record<string, z.ZodType>)[name];
    }
  }
  return schema;
}

function requireKnownKeys(schema: z.ZodType, values: unknown, origin: Layer['origin'], path: readonly string[]): void {
  if (typeof values !== 'object' || values === null || Array.isArray(values)) return;
  if (schema instanceof z.ZodRecord) {
    for (const [name, value] of Object.entries(values)) {
      requireKnownKeys(schema.valueType as z.ZodType, value, origin, [...path, name]);
    }
  }
  const section = bare(schema);
  if (!(section instanceof z.ZodObject)) return;
  const shape = section.shape as Record<string, z.ZodType>;
  for (const [name, value] of Object.entries(values)) {
    const field = shape[name];
    if (!field) {
      throw new UsageError(
        `${origin([...path, name])}: ${[...path, name].join('.')} is no known key`,
        hintOfName(name, Object.keys(shape), 'allowed here:'),
      );
    }
    requireKnownKeys(field, value, origin, [...path, name]);
  }
}

function allowedAt(path: readonly string[]): string | undefined {
  const field = schemaAt(path);
  const text = field?.description;
  const one = field instanceof z.ZodArray ? field.element : field;
  if (one instanceof z.ZodEnum) return `allowed: ${one.options.join(', ')}`;
  return text ?? 'config/default.yaml shows what each key takes';
}
