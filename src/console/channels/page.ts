import { z } from 'zod';
import { ApiError } from '../../kernel/errors.ts';
import { consolePage } from '../page.ts';
import { readProperties } from '../properties.ts';
import { channelActions } from './actions.ts';
import { feedView } from './feedView.ts';
import { readFeeds, readOpenFeed } from './query.ts';
import { channelsView } from './view.ts';

const id = z.coerce.number().int();

/** Channels: the calendars of marketplaces that have no API, and private ones. */
export const channelsPage = consolePage({
  path: 'channels',
  right: 'setup',
  needsCore: true,
  title: (texts) => texts.feeds.title,
  question: z.object({ property: id.optional(), feed: id.optional() }),
  actions: channelActions,
  async render(visit, { property, feed }) {
    const properties = await readProperties(visit.services.db, { connection: visit.connection });
    if (feed !== undefined) return feedView(visit, await readOpenFeed(visit, feed), properties);
    const chosen = properties.find((one) => one.id === property);
    if (property !== undefined && !chosen) throw new ApiError(404, `there is no property ${property}`);
    return channelsView(visit, { feeds: await readFeeds(visit, property), properties, chosen });
  },
});
