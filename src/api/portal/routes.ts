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
import { comparisonRoutes } from './calendar/comparisons.ts';
import { feedRoutes } from './calendar/feeds.ts';
import { rateRoutes } from './direct/rates.ts';
import { depositRoutes } from './deposits.ts';
import { directBookingRoutes } from './direct/bookings.ts';
import { directSettingsRoutes } from './direct/settings.ts';
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
import { mailboxRoutes } from './outgoing/mailboxes.ts';
import { endpointRoutes } from './outgoing/endpoints.ts';
import { noticeRoutes } from './outgoing/notices.ts';
import { webhookRoutes } from './webhooks.ts';
import { guestPageRoutes } from '../guest/routes.ts';
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
  ...feedRoutes,
  ...rateRoutes,
  ...comparisonRoutes,
  ...guestPageRoutes,
  ...directBookingRoutes,
  ...directSettingsRoutes,
  ...mailboxRoutes,
  ...endpointRoutes,
  ...noticeRoutes,
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
