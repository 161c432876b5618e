import { type Dictionary, dictionaries } from '../../contract/dictionaries.ts';
import type { CallOptions, Client } from '../../client/client.ts';
import { accounts, readAccounts } from '../mirror/account.ts';
import { customChannels, readCustomChannels } from '../mirror/customChannels.ts';
import { dictionaryItems, readDictionary } from '../mirror/dictionaries.ts';
import type { MirrorResource, Page, Reading } from '../mirror/resource.ts';
import { readWebhooks, webhooks } from '../mirror/webhooks.ts';
import { numbered, type Walk } from './walk.ts';

type ReadOnce = (client: Client, reading: Reading, options: CallOptions) => Promise<Page>;

/** A resource that is answered whole, by one request or a few. */
function singleList(rows: MirrorResource, requests: readonly ReadOnce[]): Walk {
  return {
    resource: rows.name,
    rows,
    cost: () => requests.length,
    async *steps(asking) {
      let total = 0;
      for (const read of requests) {
        const { answer: page, number } = await numbered(asking, (options) =>
          read(asking.client, asking.reading, options),
        );
        const answered = page.rows.length + page.unfit.length;
        total += answered;
        yield { rows: answered, visit: (visitor) => visitor.rows(rows, page, number) };
      }
      return { total };
    },
  };
}

export const accountWalk = singleList(accounts, [
  async (client, reading, options) => {
    const answer = await client.call('getAccount', {}, options);
    return readAccounts([answer.data], answer, reading);
  },
]);

export const webhooksWalk = singleList(webhooks, [
  async (client, reading, options) => {
    const answer = await client.call('listWebhooks', {}, options);
    return readWebhooks(answer.data.webhooks, answer, reading);
  },
]);

export const customChannelsWalk = singleList(customChannels, [
  async (client, reading, options) => {
    const answer = await client.call('listCustomChannels', {}, options);
    return readCustomChannels(answer.data.custom_channels, answer, reading);
  },
]);

const readOf: Record<Dictionary, ReadOnce> = {
  async income_items(client, reading, options) {
    const answer = await client.call('listIncomeItems', {}, options);
    return readDictionary.income_items(answer.data.income_items, answer, reading);
  },
  async expense_items(client, reading, options) {
    const answer = await client.call('listExpenseItems', {}, options);
    return readDictionary.expense_items(answer.data.expense_items, answer, reading);
  },
  async income_methods(client, reading, options) {
    const answer = await client.call('listIncomeMethods', {}, options);
    return readDictionary.income_methods(answer.data.income_methods, answer, reading);
  },
  async expense_methods(client, reading, options) {
    const answer = await client.call('listExpenseMethods', {}, options);
    return readDictionary.expense_methods(answer.data.expense_methods, answer, reading);
  },
};

export const dictionariesWalk = singleList(
  dictionaryItems,
  dictionaries.map((dictionary) => readOf[dictionary]),
);
