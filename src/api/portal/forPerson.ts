import { ApiError, OperatorError } from '../../kernel/errors.ts';
import type { Caller } from '../access.ts';
import { refusal } from '../http/parse.ts';
import type { PortalServices, Progress } from './route.ts';
import { portalRoutes } from './routes.ts';

const routes = new Map(portalRoutes.map((route) => [`${route.method} ${route.path}`, route]));

/** A call of a management operation that does not come by HTTP. */
interface PersonsCall {
  readonly caller: Extract<Caller, { kind: 'token' }>;
  /** `POST /portal/invites`. */
  readonly name: string;
  /** The fields of path, query and body together. */
  readonly fields: Readonly<Record<string, unknown>>;
  readonly progress?: Progress;
  readonly signal?: AbortSignal;
}

/**
 * Runs an operation of the management API for a person whom the console has let in, with the fields and the checks that
 * it has over HTTP.
 * @throws ApiError with the wrong field, or in the words of the operation
 */
export async function runForPerson(
  services: PortalServices,
  { caller, name, fields, progress = () => {}, signal = new AbortController().signal }: PersonsCall,
): Promise<unknown> {
  const route = routes.get(name);
  if (!route || route.access === 'control') throw new Error(`the management API has no ${name} for people`);
  const parsed = route.input.safeParse(fields);
  if (!parsed.success) throw refusal(parsed.error, { ...fields });
  try {
    return await route.run({ input: parsed.data, caller, services, progress, signal });
  } catch (error) {
    if (!(error instanceof OperatorError)) throw error;
    const hint = error.hint === undefined ? '' : `: ${error.hint}`;
    throw new ApiError(422, `${error.message}${hint}`, { cause: error });
  }
}
