import { getAccount } from './account.ts';
import { listAvailabilities, updateAvailabilities } from './availabilities.ts';
import { listChannelAccounts } from './channelAccounts.ts';
import { listCustomChannels } from './customChannels.ts';
import { listExpenseItems, listExpenseMethods, listIncomeItems, listIncomeMethods } from './dictionaries.ts';
import { listCalendars, listListings, updateInventories, updatePrices, updateRestrictions } from './listings.ts';
import type { CallOf, DataOf, InputOf } from './operation.ts';
import {
  getMarketplaceARules,
  getMarketplaceBRules,
  updateMarketplaceARules,
  updateMarketplaceBRules,
} from './priceRules.ts';
import { getPricingRatios } from './pricingRatios.ts';
import { createProperty, listProperties } from './properties.ts';
import {
  cancelReservation,
  createReservation,
  listReservations,
  updateCheckInDetails,
  updateReservation,
} from './reservations.ts';
import { createTransaction, deleteTransaction, listTransactions, updateTransaction } from './transactions.ts';
import { createWebhook, deleteWebhook, listWebhooks, updateWebhook } from './webhooks.ts';

/** Every operation of v3 by its id. What is not here does not exist. */
export const operations = {
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
} as const;

export type Operations = typeof operations;
export type OperationId = keyof Operations;
export const operationIds = Object.keys(operations) as OperationId[];

export type Input<Id extends OperationId> = InputOf<Operations[Id]>;
export type Call<Id extends OperationId> = CallOf<Operations[Id]>;
export type Data<Id extends OperationId> = DataOf<Operations[Id]>;
