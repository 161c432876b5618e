import { getAccount } from './accounts/handlers.ts';
import { listAvailabilities, updateAvailabilities } from './availabilities/handlers.ts';
import {
  getPricingRatios,
  listCalendars,
  listChannelAccounts,
  listListings,
  updateInventories,
  updatePrices,
  updateRestrictions,
} from './channels/handlers.ts';
import { getMarketplaceARules, updateMarketplaceARules } from './channels/marketplaceA.ts';
import { getMarketplaceBRules, updateMarketplaceBRules } from './channels/marketplaceB.ts';
import type { Handlers } from './context.ts';
import { listCustomChannels } from './customChannels/handlers.ts';
import { listExpenseItems, listExpenseMethods, listIncomeItems, listIncomeMethods } from './dictionaries/handlers.ts';
import { createProperty, listProperties } from './properties/handlers.ts';
import { updateCheckInDetails } from './reservations/checkInDetails.ts';
import { cancelReservation, createReservation, listReservations } from './reservations/handlers.ts';
import { updateReservation } from './reservations/update.ts';
import { createTransaction, deleteTransaction, listTransactions, updateTransaction } from './transactions/handlers.ts';
import { createWebhook, deleteWebhook, listWebhooks, updateWebhook } from './webhooks/handlers.ts';

/** Who does the work of each operation. */
export const handlers: Handlers = {
  getAccount,
  listProperties,
  createProperty,
  listCustomChannels,
  listIncomeItems,
  listExpenseItems,
  listIncomeMethods,
  listExpenseMethods,
  listReservations,
  createReservation,
  updateReservation,
  updateCheckInDetails,
  cancelReservation,
  listAvailabilities,
  updateAvailabilities,
  getPricingRatios,
  listChannelAccounts,
  listListings,
  listCalendars,
  updatePrices,
  updateInventories,
  updateRestrictions,
  getMarketplaceARules,
  updateMarketplaceARules,
  getMarketplaceBRules,
  updateMarketplaceBRules,
  listTransactions,
  createTransaction,
  updateTransaction,
  deleteTransaction,
  listWebhooks,
  createWebhook,
  updateWebhook,
  deleteWebhook,
};
