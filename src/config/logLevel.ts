import { z } from 'zod';
import { UsageError } from '../kernel/errors.ts';
import { logComponents, logLevels, parseLevels } from '../kernel/log.ts';

/** Levels of the log: one for everything, and others for components. */
export const logLevel = z
  .string()
  .superRefine((text, context) => {
    try {
      parseLevels(text);
    } catch (error) {
      if (!(error instanceof UsageError)) throw error;
      context.addIssue({ code: 'custom', message: error.message });
    }
  })
  .describe(`allowed: ${logLevels.join(', ')}; others for components, as info,sync=debug: ${logComponents.join(', ')}`);
