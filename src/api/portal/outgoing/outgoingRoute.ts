import type { z } from 'zod';
import type { ObjectSchema } from '../../../contract/operation.ts';
import type { ConnectionId } from '../../../kernel/ids.ts';
import { type Recording, recordedRoute } from '../recorded.ts';
import { type PortalCall, type PortalRoute, type PortalServices, portalRoute } from '../route.ts';
import { connectionOf } from '../who.ts';

/** Returns how to make a route about what a service does for the caller's connection. */
export function routesOn<Service>(serviceOf: (services: PortalServices, connection: ConnectionId) => Service) {
  return <Schema extends ObjectSchema & z.ZodObject<{ connection: z.ZodOptional<z.ZodString> }>>(
    method: PortalRoute['method'],
    path: PortalRoute['path'],
    access: PortalRoute['access'],
    input: Schema,
    run: (service: Service, input: z.output<Schema>) => Promise<unknown>,
    record?: Recording<z.output<Schema>>,
  ): PortalRoute => {
    const route: PortalRoute<Schema> = {
      method,
      path,
      access,
      input,
      run: async ({ services, caller, input: given }: PortalCall<z.output<Schema>>) =>
        run(serviceOf(services, await connectionOf(services, caller, given.connection)), given),
    };
    return record ? recordedRoute(route, record) : portalRoute(route);
  };
}
