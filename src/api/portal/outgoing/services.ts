/** The actions on the endpoints of a connection. */
export interface EndpointServices {
  list(): Promise<object[]>;
  add(draft: EndpointDraft): Promise<object>;
  change(
    endpointId: string,
    change: { [Name in keyof EndpointDraft]?: EndpointDraft[Name] | undefined } & {
      state?: 'active' | 'disabled' | undefined;
    },
  ): Promise<object>;
  remove(endpointId: string): Promise<void>;
  rotate(endpointId: string): Promise<object>;
  ping(endpointId: string): Promise<object>;
  log(endpointId: string, question: { state?: string | undefined; limit: number }): Promise<object[]>;
  replay(endpointId: string, what: { message_id?: string | undefined; since?: string | undefined }): Promise<object>;
}

interface EndpointDraft {
  url: string;
  kinds: readonly string[];
  property_ids?: readonly number[] | null | undefined;
  persons?: boolean | undefined;
  description?: string | null | undefined;
}

/** The actions on the places where people are told. A place is named by its name or its id. */
export interface NoticeServices {
  list(): Promise<object[]>;
  add(draft: NoticeChoices & { name: string; kind: string; settings: unknown }): Promise<object>;
  change(
    place: string,
    change: NoticeChoices & {
      name?: string | undefined;
      settings?: unknown;
      state?: 'active' | 'paused' | undefined;
    },
  ): Promise<object>;
  remove(place: string): Promise<{ place_id: string; name: string }>;
  test(place: string): Promise<{ name: string; sent: boolean; problem: string | null }>;
  log(question: { place?: string | undefined; limit: number }): Promise<object[]>;
}

interface NoticeChoices {
  language?: 'en' | 'de' | undefined;
  hears?: ('alarms' | 'today')[] | undefined;
  quiet?: string | null | undefined;
  wakes?: boolean | undefined;
  briefing_at?: string | null | undefined;
  persons?: boolean | undefined;
}
