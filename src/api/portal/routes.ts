import { changesRoute } from '../changes.ts';
import { historyRoutes } from '../history.ts';
import { auditRoute } from './audit.ts';
import { accountRoutes } from './accounts.ts';
import { automationRuleRoutes } from './automationRules.ts';
import { importRoutes } from './imports.ts';
import { oauthRoutes } from './oauth.ts';
import { peopleRoutes } from './people.ts';
import { calendarRoutes } from './calendar/routes.ts';
import { depositRoute } from './deposits.ts';
import { dictionaryRoutes } from './dictionaries.ts';
import { sandboxRoutes } from './sandbox/routes.ts';
import { coreErasureRoute, erasureRoute } from './erasure.ts';
import { exportRoutes } from './exports.ts';
import { automationRoutes } from './automations.ts';
import { settingsRoutes } from './settings.ts';
import { syncRoutes } from './sync.ts';
import { endpointRoutes } from './endpoints.ts';
import { webhookRoutes } from './webhooks.ts';
import { reportRoutes } from '../reports.ts';
import type { PortalRoute } from './route.ts';

/** Every operation of the management API. */
export const portalRoutes: readonly PortalRoute[] = [
  ...accountRoutes,
  ...peopleRoutes,
  ...automationRuleRoutes,
  ...webhookRoutes,
  ...dictionaryRoutes,
  depositRoute,
  ...calendarRoutes,
  ...endpointRoutes,
  ...oauthRoutes,
  ...syncRoutes,
  ...settingsRoutes,
  ...automationRoutes,
  erasureRoute,
  coreErasureRoute,
  auditRoute,
  ...exportRoutes,
  ...importRoutes,
  ...sandboxRoutes,
  changesRoute,
  ...historyRoutes,
  ...reportRoutes,
];
