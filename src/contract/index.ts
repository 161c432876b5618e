import { getAccount } from './account.ts';
import { listAvailabilities, updateAvailabilities } from './availabilities.ts';
import { createCalendarShareLink, deleteCalendarShareLink, listCalendarShareLinks } from './calendarShareLinks.ts';
import { getConversation, listConversations, sendMessage, updateConversationNote } from './conversations.ts';
import { listChannelAccounts } from './channelAccounts.ts';
import { listCustomChannels } from './customChannels.ts';
import { listExpenseItems, listExpenseMethods, listIncomeItems, listIncomeMethods } from './dictionaries.ts';
import { listCalendars, listListings, updateInventories, updatePrices, updateRestrictions } from './listings.ts';
import { deleteAutomationAction, executeAutomationAction, listAutomationActions } from './automationActions.ts';
import {
  createKnowledgeBase,
  deleteKnowledgeBase,
  getKnowledgeBase,
  listKnowledgeBases,
  updateKnowledgeBase,
} from './knowledgeBases.ts';
import { createAuthorization, revokeAuthorization } from './oauth.ts';
import type { CallOf, DataOf, InputOf } from './operation.ts';
import {
  getMarketplaceARules,
  getMarketplaceBRules,
  updateMarketplaceARules,
  updateMarketplaceBRules,
} from './priceRules.ts';
import { getPricingRatios } from './pricingRatios.ts';
import { createProperty, listProperties } from './properties.ts';
import { createPropertyGroup, deletePropertyGroup, listPropertyGroups, updatePropertyGroup } from './propertyGroups.ts';
import { createPropertyTag, deletePropertyTag, listPropertyTags, updatePropertyTag } from './propertyTags.ts';
import {
  addReservationTag,
  createReservationTag,
  deleteReservationTag,
  listReservationTags,
  removeReservationTag,
} from './reservationTags.ts';
import {
  allocateReservation,
  approveReservation,
  declineReservation,
  getCustomFields,
  moveReservationToBox,
  updateCustomFields,
  updateStayStatus,
} from './reservationLife.ts';
import {
  cancelReservation,
  createReservation,
  listReservations,
  updateCheckInDetails,
  updateReservation,
} from './reservations.ts';
import { createRoomType, listRoomTypes } from './roomTypes.ts';
import { createReview, listReviews } from './reviews.ts';
import { createPreapproval, createSpecialOffer, listSpecialOffers, withdrawSpecialOffer } from './specialOffers.ts';
import { createStaff, deleteStaff, listStaffs, updateStaff } from './staffs.ts';
import { createTask, deleteTask, listTasks, updateTask } from './tasks.ts';
import { createTransaction, deleteTransaction, listTransactions, updateTransaction } from './transactions.ts';
import { createWebhook, deleteWebhook, listWebhooks, updateWebhook } from './webhooks.ts';

/** Every operation of v3 by its id. An operation that is missing here does not exist. */
export const operations = {
  getAccount,
  listProperties,
  createProperty,
  listRoomTypes,
  createRoomType,
  listPropertyGroups,
  createPropertyGroup,
  updatePropertyGroup,
  deletePropertyGroup,
  listPropertyTags,
  createPropertyTag,
  updatePropertyTag,
  deletePropertyTag,
  listCustomChannels,
  listIncomeItems,
  listExpenseItems,
  listIncomeMethods,
  listExpenseMethods,
  listReservations,
  createReservation,
  updateReservation,
  updateCheckInDetails,
  getCustomFields,
  updateCustomFields,
  updateStayStatus,
  approveReservation,
  declineReservation,
  allocateReservation,
  moveReservationToBox,
  cancelReservation,
  listReservationTags,
  createReservationTag,
  deleteReservationTag,
  addReservationTag,
  removeReservationTag,
  listConversations,
  getConversation,
  sendMessage,
  updateConversationNote,
  listSpecialOffers,
  createSpecialOffer,
  withdrawSpecialOffer,
  createPreapproval,
  listReviews,
  createReview,
  listAvailabilities,
  listCalendarShareLinks,
  createCalendarShareLink,
  deleteCalendarShareLink,
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
  listAutomationActions,
  executeAutomationAction,
  deleteAutomationAction,
  listKnowledgeBases,
  getKnowledgeBase,
  createKnowledgeBase,
  updateKnowledgeBase,
  deleteKnowledgeBase,
  listTasks,
  createTask,
  updateTask,
  deleteTask,
  listStaffs,
  createStaff,
  updateStaff,
  deleteStaff,
  listWebhooks,
  createWebhook,
  updateWebhook,
  deleteWebhook,
  createAuthorization,
  revokeAuthorization,
} as const;

/** Type of {@link operations}. */
export type Operations = typeof operations;
/** Id of an operation. */
export type OperationId = keyof Operations;
/** Operations that take no token. */
export type OpenId = { [Id in OperationId]: Operations[Id]['scope'] extends 'open' ? Id : never }[OperationId];
/** Operations that take a token. */
export type GuardedId = Exclude<OperationId, OpenId>;
/** Ids of all operations. */
export const operationIds = Object.keys(operations) as OperationId[];
/** Ids of the operations that take a token. */
export const guardedIds = operationIds.filter((id): id is GuardedId => !isOpen(id));

/** Parsed input of an operation, as its handler receives it. */
export type Input<Id extends OperationId> = InputOf<Operations[Id]>;
/** Input of an operation, as a client passes it. */
export type Call<Id extends OperationId> = CallOf<Operations[Id]>;
/** `data` of an operation's answer. */
export type Data<Id extends OperationId> = DataOf<Operations[Id]>;

/** Returns true for an operation that takes no token. */
export function isOpen(id: OperationId): id is OpenId {
  return operations[id].scope === 'open';
}
