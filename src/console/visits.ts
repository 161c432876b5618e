import type { FastifyRequest } from 'fastify';
import type { Call, GuardedId } from '../contract/index.ts';
import { dateIn, isTimeZone } from '../kernel/dates.ts';
import { ApiError } from '../kernel/errors.ts';
import type { ConnectionId } from '../kernel/ids.ts';
import { readAccountSettings } from '../sync/read/mirror.ts';
import { may, rights } from './access.ts';
import { languageOf } from './answer.ts';
import { addressFields } from './fields.ts';
import { formatFor } from './frame/format.ts';
import { addressOf } from './page.ts';
import type { Asking, ConsoleServices, Person, Refused, Told, Visit } from './visit.ts';
import { isWithin } from './within.ts';

/** Why a page cannot be shown: no such connection, or nothing read of it yet. */
export type NoVisit = 'unknown' | 'empty';

interface Opening {
  readonly person: Person;
  readonly once?: string | undefined;
  readonly refused?: Refused | undefined;
  readonly origin: string;
  changePassword(given: { old: string; password: string }): Promise<void>;
  freshNumber(): string;
}

/** Opens a visit of a person to the page that a request names. */
export async function openVisit(
  services: ConsoleServices,
  request: FastifyRequest,
  { person: who, once, refused, origin, freshNumber, changePassword }: Opening,
): Promise<Visit | NoVisit> {
  const connections = await services.connectionsOf(who.accountId);
  const { connection, ...at } = addressFields(request);
  if (connection !== undefined && connections.length > 0 && !connections.some((one) => one === connection)) {
    return 'unknown';
  }
  const chosen = connections.find((one) => one === connection) ?? connections[0];
  const settings = chosen === undefined ? undefined : await readAccountSettings(services.db, chosen);
  if (chosen === undefined || !settings) return 'empty';
  const person = await services.lookingAt(who, chosen);
  const { texts, locale } = languageOf(request);
  const zone = isTimeZone(settings.time_zone ?? '') ? String(settings.time_zone) : 'UTC';
  const today = dateIn(zone, services.now());
  const from = { person, connection: chosen, once };
  const isReadOnly = await services.isReadOnly(chosen);
  return {
    person,
    services,
    connection: chosen,
    connections,
    today,
    zone,
    currency: settings.currency ?? '',
    texts,
    locale,
    format: formatFor(locale, zone, today),
    at,
    refused,
    origin,
    isHere: services.isHere(chosen),
    isReadOnly,
    may: (right) => may(person, right) && !(isReadOnly && rights[right].writes === true),
    address: (path, fields = {}) => addressOf(path, { ...fields, ...chosenOf(chosen, connections) }),
    changePassword,
    freshNumber,
    v3: (id, input) => callWithin(services, from, id, input, texts.frame.notYours),
    portal: (operation, fields = {}) => services.portal(from, operation, { connection: chosen, ...fields }),
  };
}

/**
 * Runs an operation of v3. Elsewhere it is kept to the properties that the person sees, which no deployment knows.
 * @throws ApiError 403 with `refusal` for others; then nothing was asked there
 */
async function callWithin<Id extends GuardedId>(
  services: ConsoleServices,
  from: Asking,
  id: Id,
  input: Call<Id>,
  refusal: string,
): Promise<Told<Id>> {
  const { db } = services;
  const { connection, person } = from;
  const { properties } = person;
  const isFree = properties === null || services.isHere(connection);
  if (!isFree && !(await isWithin({ db, connection, properties }, id, input))) throw new ApiError(403, refusal);
  return services.v3(from, id, input);
}

/** The field of an address that names a connection, where there are several. */
function chosenOf(chosen: ConnectionId, connections: readonly ConnectionId[]): { connection?: string } {
  return connections.length > 1 ? { connection: chosen } : {};
}
