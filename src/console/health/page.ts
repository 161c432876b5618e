import { z } from 'zod';
import { consolePage } from '../page.ts';
import { healthView } from './view.ts';

/** Health: if the mirror is in step, what needs a person, and how the service is doing. */
export const healthPage = consolePage({
  path: 'health',
  right: 'health',
  title: (texts) => texts.health.title,
  question: z.object({}),
  async render(visit) {
    const { services, connection } = visit;
    return healthView(visit, await services.status(connection), await services.alarms(visit.person));
  },
});
