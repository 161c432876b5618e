import { getAccount } from './accounts/handlers.ts';
import { listAvailabilities, updateAvailabilities } from './availabilities/handlers.ts';
import {
  createCalendarShareLink,
  deleteCalendarShareLink,
  listCalendarShareLinks,
} from './calendarShareLinks/handlers.ts';
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
import { automationHandlers } from './automation/handlers.ts';
import type { Handlers } from './context.ts';
import { getConversation, listConversations, sendMessage, updateConversationNote } from './conversations/handlers.ts';
import { listCustomChannels } from './customChannels/handlers.ts';
import { listExpenseItems, listExpenseMethods, listIncomeItems, listIncomeMethods } from './dictionaries/handlers.ts';
import { automationPorts } from './effects.ts';
import {
  createKnowledgeBase,
  deleteKnowledgeBase,
  getKnowledgeBase,
  listKnowledgeBases,
  updateKnowledgeBase,
} from './knowledgeBases/handlers.ts';
import { createProperty, listProperties } from './properties/handlers.ts';
import {
  createPropertyGroup,
  deletePropertyGroup,
  listPropertyGroups,
  updatePropertyGroup,
} from './propertyGroups/handlers.ts';
import { createPropertyTag, deletePropertyTag, listPropertyTags, updatePropertyTag } from './propertyTags/handlers.ts';
import {
  addReservationTag,
  createReservationTag,
  deleteReservationTag,
  listReservationTags,
  removeReservationTag,
} from './reservationTags/handlers.ts';
import { approveReservation, declineReservation } from './reservations/answer.ts';
import { updateCheckInDetails } from './reservations/checkInDetails.ts';
import { getCustomFields, updateCustomFields } from './reservations/customFields.ts';
import { cancelReservation, createReservation, listReservations } from './reservations/handlers.ts';
import { allocateReservation, moveReservationToBox } from './reservations/place.ts';
import { updateStayStatus } from './reservations/stayStatus.ts';
import { updateReservation } from './reservations/update.ts';
import { createRoomType, listRoomTypes } from './roomTypes/handlers.ts';
import { createReview, listReviews } from './reviews/handlers.ts';
import {
  createPreapproval,
  createSpecialOffer,
  listSpecialOffers,
  withdrawSpecialOffer,
} from './specialOffers/handlers.ts';
import { createStaff, deleteStaff, listStaffs, updateStaff } from './staffs/handlers.ts';
import { createTask, deleteTask, listTasks, updateTask } from './tasks/handlers.ts';
import { createTransaction, deleteTransaction, listTransactions, updateTransaction } from './transactions/handlers.ts';
import { createWebhook, deleteWebhook, listWebhooks, updateWebhook } from './webhooks/handlers.ts';

/** The handler of each operation. */
export const handlers: Handlers = {
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
  ...automationHandlers(automationPorts),
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
};
