import { getAccount } from './account.ts';
import { listAvailabilities } from './availabilities.ts';
import { listCustomChannels } from './customChannels.ts';
import { listExpenseItems, listExpenseMethods, listIncomeItems, listIncomeMethods } from './dictionaries.ts';
import type { CallOf, DataOf, InputOf } from './operation.ts';
import { createProperty, listProperties } from './properties.ts';
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
} as const;

export type Operations = typeof operations;
export type OperationId = keyof Operations;
export const operationIds = Object.keys(operations) as OperationId[];

export type Input<Id extends OperationId> = InputOf<Operations[Id]>;
export type Call<Id extends OperationId> = CallOf<Operations[Id]>;
export type Data<Id extends OperationId> = DataOf<Operations[Id]>;
