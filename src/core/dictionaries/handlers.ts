import type { Handler } from '../context.ts';
import { entriesOf } from './table.ts';

export const listIncomeItems: Handler<'listIncomeItems'> = async (_input, { db, account }) => ({
  income_items: await entriesOf(db, account.account_id, 'income_items'),
});

export const listExpenseItems: Handler<'listExpenseItems'> = async (_input, { db, account }) => ({
  expense_items: await entriesOf(db, account.account_id, 'expense_items'),
});

export const listIncomeMethods: Handler<'listIncomeMethods'> = async (_input, { db, account }) => ({
  income_methods: await entriesOf(db, account.account_id, 'income_methods'),
});

export const listExpenseMethods: Handler<'listExpenseMethods'> = async (_input, { db, account }) => ({
  expense_methods: await entriesOf(db, account.account_id, 'expense_methods'),
});
