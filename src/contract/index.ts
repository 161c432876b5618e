import { getAccount } from './account.ts';
import { deleteAutomationAction, executeAutomationAction, listAutomationActions } from './automationActions.ts';
import { listAvailabilities } from './availabilities.ts';
import { listCustomChannels } from './customChannels.ts';
import { listExpenseItems, listExpenseMethods, listIncomeItems, listIncomeMethods } from './dictionaries.ts';
import {
  createKnowledgeBase,
  deleteKnowledgeBase,
  getKnowledgeBase,
  listKnowledgeBases,
  updateKnowledgeBase,
} from './knowledgeBases.ts';
import type { CallOf, DataOf, InputOf } from './operation.ts';
import { createProperty, listProperties } from './properties.ts';
import {
  cancelReservation,
  createReservation,
  listReservations,
  updateCheckInDetails,
  updateReservation,
} from './reservations.ts';
import { createStaff, deleteStaff, listStaffs, updateStaff } from './staffs.ts';
import { createTask, deleteTask, listTasks, updateTask } from './tasks.ts';
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
} as const;

export type Operations = typeof operations;
export type OperationId = keyof Operations;
export const operationIds = Object.keys(operations) as OperationId[];

export type Input<Id extends OperationId> = InputOf<Operations[Id]>;
export type Call<Id extends OperationId> = CallOf<Operations[Id]>;
export type Data<Id extends OperationId> = DataOf<Operations[Id]>;
