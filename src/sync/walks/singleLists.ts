import { accounts } from '../mirror/account.ts';
import { customChannels } from '../mirror/customChannels.ts';
import { dictionaryItems } from '../mirror/dictionaries.ts';
import type { MirrorResource } from '../mirror/resource.ts';
import { webhooks } from '../mirror/webhooks.ts';
import { numbered, type Walk } from './walk.ts';

/** A resource that is answered whole, by one request or a few. */
function wholeLists(rows: MirrorResource): Walk {
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
        const answered = page.rows.length + page.unfit.length;
        total += answered;
        yield { rows: answered, visit: (visitor) => visitor.rows(rows, page, number) };
      }
      return { total };
    },
  };
}

export const accountWalk = wholeLists(accounts);
export const webhooksWalk = wholeLists(webhooks);
export const customChannelsWalk = wholeLists(customChannels);
export const dictionariesWalk = wholeLists(dictionaryItems);
