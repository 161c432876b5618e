import { accounts } from '../../tables/account/account.ts';
import { customChannels } from '../../tables/account/customChannels.ts';
import { dictionaryItems } from '../../tables/account/dictionaries.ts';
import type { MirrorResource } from '../../tables/rows/resource.ts';
import { webhooks } from '../../tables/account/webhooks.ts';
import { numbered, type Scan } from '../scan.ts';

/** Makes the scan of a resource that one request or a few answer whole. */
function wholeLists(rows: MirrorResource): Scan {
  const { name: resource, lists = [] } = rows;
  return {
    resource,
    rows,
    mayBeAbsent: true,
    cost: () => lists.length,
    async *steps(asking) {
      let total = 0;
      for (const list of lists) {
        const { answer: page, number } = await numbered(asking, (options) =>
          list.read(asking.client, asking.reading, options),
        );
        const answered = page.rows.length + page.quarantined.length;
        total += answered;
        yield { rows: answered, visit: (visitor) => visitor.rows(rows, page, number) };
      }
      return { total };
    },
  };
}

export const accountScan = wholeLists(accounts);
export const webhooksScan = wholeLists(webhooks);
export const customChannelsScan = wholeLists(customChannels);
export const dictionariesScan = wholeLists(dictionaryItems);
