import { getAccount } from './accounts/handlers.ts';
import { listAvailabilities } from './availabilities/handlers.ts';
import type { Handlers } from './context.ts';
import { listCustomChannels } from './customChannels/handlers.ts';
import { listExpenseItems, listExpenseMethods, listIncomeItems, listIncomeMethods } from './dictionaries/handlers.ts';
import { createProperty, listProperties } from './properties/handlers.ts';
import { approveReservation, declineReservation } from './reservations/answer.ts';
import { updateCheckInDetails } from './reservations/checkInDetails.ts';
import { getCustomFields, updateCustomFields } from './reservations/customFields.ts';
import { cancelReservation, createReservation, listReservations } from './reservations/handlers.ts';
import { allocateReservation, moveReservationToBox } from './reservations/place.ts';
import { updateStayStatus } from './reservations/stayStatus.ts';
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
  getCustomFields,
  updateCustomFields,
  updateStayStatus,
  approveReservation,
  declineReservation,
  allocateReservation,
  moveReservationToBox,
  cancelReservation,
  listAvailabilities,
  listTransactions,
  createTransaction,
  updateTransaction,
  deleteTransaction,
  listWebhooks,
  createWebhook,
  updateWebhook,
  deleteWebhook,
};
