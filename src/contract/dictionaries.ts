import { z } from 'zod';
import { none, completeListOf } from './fields.ts';
import { operation } from './operation.ts';

/** The four dictionaries of the ledger, by the plural name of their rows in answers. */
export const dictionaries = ['income_items', 'expense_items', 'income_methods', 'expense_methods'] as const;
/** One of {@link dictionaries}. */
export type Dictionary = (typeof dictionaries)[number];

/** A category or method of the ledger. */
export const dictionaryEntry = z.object({ id: z.int(), name: z.string() }).meta({ schemaName: 'DictionaryEntry' });

const shared = {
  method: 'GET',
  params: none,
  query: none,
  body: null,
  scope: 'read',
  rate: 'default',
  since: '3.2.0',
  notes: 'Changes rarely; may be kept for an hour.',
  errors: [],
  emits: [],
  example: {},
} as const;

/** Lists categories of income. */
export const listIncomeItems = operation({
  ...shared,
  path: '/income_items',
  data: completeListOf('income_items', dictionaryEntry),
  tool: { name: 'search_income_items', category: 'finance' },
  summary: 'Categories of income.',
});

/** Lists categories of expense. */
export const listExpenseItems = operation({
  ...shared,
  path: '/expense_items',
  data: completeListOf('expense_items', dictionaryEntry),
  tool: { name: 'search_expense_items', category: 'finance' },
  summary: 'Categories of expense.',
});

/** Lists the ways in which income arrives. */
export const listIncomeMethods = operation({
  ...shared,
  path: '/income_methods',
  data: completeListOf('income_methods', dictionaryEntry),
  tool: { name: 'search_income_methods', category: 'finance' },
  summary: 'Ways in which income arrives.',
});

/** Lists the ways in which expenses are paid. */
export const listExpenseMethods = operation({
  ...shared,
  path: '/expense_methods',
  data: completeListOf('expense_methods', dictionaryEntry),
  tool: { name: 'search_expense_methods', category: 'finance' },
  summary: 'Ways in which expenses are paid.',
});
