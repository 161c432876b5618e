import { getAccount } from './accounts/handlers.ts';
import { listAvailabilities } from './availabilities/handlers.ts';
import { automationHandlers } from './automation/handlers.ts';
import type { Handlers } from './context.ts';
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
import { updateCheckInDetails } from './reservations/checkInDetails.ts';
import { cancelReservation, createReservation, listReservations } from './reservations/handlers.ts';
import { updateReservation } from './reservations/update.ts';
import { createStaff, deleteStaff, listStaffs, updateStaff } from './staffs/handlers.ts';
import { createTask, deleteTask, listTasks, updateTask } from './tasks/handlers.ts';
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
