import { changesRoute } from '../changes.ts';
import { historyRoutes } from '../history.ts';
import { auditRoute } from './audit.ts';
import { accountRoutes } from './accounts.ts';
import { automationRuleRoutes } from './automationRules.ts';
import { importRoutes } from './imports.ts';
import { oauthRoutes } from './oauth.ts';
import { ownSafetyRoutes } from './people/ownSafety.ts';
import { peopleRoutes } from './people/subAccounts.ts';
import { calendarRoutes } from './calendar/routes.ts';
import { depositRoutes } from './deposits.ts';
import { dictionaryRoutes } from './dictionaries.ts';
import { brandRoutes } from './brand.ts';
import { portfolioRoutes } from './portfolio.ts';
import { sandboxRoutes } from './sandbox/routes.ts';
import { coreErasureRoute, erasureRoute } from './erasure.ts';
import { exportRoutes } from './exports.ts';
import { automationFileRoutes } from './automations/files.ts';
import { automationRoutes } from './automations/plans.ts';
import { settingsRoutes } from './settings.ts';
import { syncRoutes } from './sync.ts';
import { endpointRoutes } from './endpoints.ts';
import { webhookRoutes } from './webhooks.ts';
import { staffLinkRoutes } from '../staff/links.ts';
import { reportRoutes } from '../reports.ts';
import type { PortalRoute } from './route.ts';

/** Every operation of the management API. */
export const portalRoutes: readonly PortalRoute[] = [
  ...accountRoutes,
  ...peopleRoutes,
  ...ownSafetyRoutes,
  ...automationRuleRoutes,
  ...staffLinkRoutes,
  ...webhookRoutes,
  ...dictionaryRoutes,
  ...portfolioRoutes,
  ...brandRoutes,
  ...depositRoutes,
  ...calendarRoutes,
  ...endpointRoutes,
  ...oauthRoutes,
  ...syncRoutes,
  ...settingsRoutes,
  ...automationRoutes,
  ...automationFileRoutes,
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
