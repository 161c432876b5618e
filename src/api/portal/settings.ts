import { z } from 'zod';
import { ApiError, messageOf, OperatorError } from '../../kernel/errors.ts';
import { portalRoute } from './route.ts';

/** The settings that the process was started with. */
export const settingsRoutes = [
  portalRoute({
    method: 'GET',
    path: '/portal/settings',
    access: 'control',
    input: z.object({}),
    run: async ({ services }) => ({ own_file: services.ownFile, started_at: services.startedAt }),
  }),
  portalRoute({
    method: 'POST',
    path: '/portal/settings/reload',
    access: 'control',
    input: z.object({}),
    async run({ services }) {
      if (!services.reload) throw new ApiError(501, 'This service takes new settings only at a restart.');
      try {
        const { restarting, ...applied } = await services.reload();
        return { reloading: restarting, ...applied };
      } catch (error) {
        if (error instanceof OperatorError) throw new ApiError(422, messageOf(error));
        throw error;
      }
    },
  }),
];
