import type {
  Action,
  ChannelAccount,
  Closed,
  Day,
  DictionaryItem,
  Entry,
  Group,
  Knowledge,
  Listing,
  Message,
  Named,
  Offer,
  Property,
  PropertyTag,
  Review,
  RoomType,
  ShareLink,
  Staff,
  Stay,
  StayTag,
  Task,
  FullConversation,
} from './records.ts';
import { type Moment, Versions } from './versions.ts';

/** All that is so, and what answers show of it. */
export class Truth {
  readonly account = { id: 'acc-foreign', name: 'Foreign host', zone: 'Europe/Berlin', currency: 'EUR' };
  readonly properties: Versions<Property>;
  readonly roomTypes: Versions<RoomType>;
  readonly groups: Versions<Group>;
  readonly tags: Versions<PropertyTag>;
  readonly stayTags: Versions<StayTag>;
  readonly shareLinks: Versions<ShareLink>;
  readonly channelAccounts: Versions<ChannelAccount>;
  readonly listings: Versions<Listing>;
  readonly sources: Versions<Named>;
  readonly dictionary: Versions<DictionaryItem>;
  readonly stays: Versions<Stay>;
  readonly closed: Versions<Closed>;
  readonly days: Versions<Day>;
  readonly entries: Versions<Entry>;
  readonly fullConversations: Versions<FullConversation>;
  readonly messages: Versions<Message>;
  readonly offers: Versions<Offer>;
  readonly reviews: Versions<Review>;
  readonly tasks: Versions<Task>;
  readonly staffs: Versions<Staff>;
  readonly actions: Versions<Action>;
  readonly knowledge: Versions<Knowledge>;

  constructor(moment: Moment) {
    const kept = <Row>() => new Versions<Row>(moment);
    this.properties = kept();
    this.roomTypes = kept();
    this.groups = kept();
    this.tags = kept();
    this.stayTags = kept();
    this.shareLinks = kept();
    this.channelAccounts = kept();
    this.listings = kept();
    this.sources = kept();
    this.dictionary = kept();
    this.stays = kept();
    this.closed = kept();
    this.days = kept();
    this.entries = kept();
    this.fullConversations = kept();
    this.messages = kept();
    this.offers = kept();
    this.reviews = kept();
    this.tasks = kept();
    this.staffs = kept();
    this.actions = kept();
    this.knowledge = kept();
  }

  /** The messages of a fullConversation that answers show, newest first. */
  messagesOf(fullConversation: string): Message[] {
    return newestFirst(this.messages.shown().filter((one) => one.fullConversation === fullConversation));
  }
}

function newestFirst(messages: readonly Message[]): Message[] {
  return messages.toSorted((a, b) => b.at - a.at || (a.id < b.id ? 1 : -1));
}
