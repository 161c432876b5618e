import type { Dictionary } from '../../contract/dictionaries.ts';
import type { Context, Handler } from '../context.ts';
import { entriesOf } from './table.ts';

export const listIncomeItems: Handler<'listIncomeItems'> = async (_input, context) => {
  const income_items = await entriesFor(context, 'income_items');
  return { income_items, total: income_items.length };
};

export const listExpenseItems: Handler<'listExpenseItems'> = async (_input, context) => {
  const expense_items = await entriesFor(context, 'expense_items');
  return { expense_items, total: expense_items.length };
};

export const listIncomeMethods: Handler<'listIncomeMethods'> = async (_input, context) => {
  const income_methods = await entriesFor(context, 'income_methods');
  return { income_methods, total: income_methods.length };
};

export const listExpenseMethods: Handler<'listExpenseMethods'> = async (_input, context) => {
  const expense_methods = await entriesFor(context, 'expense_methods');
  return { expense_methods, total: expense_methods.length };
};

function entriesFor({ db, account }: Context, dictionary: Dictionary) {
  return entriesOf(db, account.account_id, dictionary);
}
