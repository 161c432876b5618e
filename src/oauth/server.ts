import type { Core } from '../core/accounts/ground.ts';

/** As the owner of the service has set it. */
export interface OAuthSettings {
  /** Whether applications may register themselves. */
  readonly dynamicRegistration: boolean;
  /** Whether an application may be described at the address that is its client_id. */
  readonly metadataDocuments: boolean;
  /** Days after which a person must allow an application anew, however often it refreshed. */
  readonly grantDays: number;
}

/** A document that was read at an address, or why it was not. */
export type ReadDocument = (
  url: string,
) => Promise<{ text: string; headers: Readonly<Record<string, string>> } | { problem: string }>;

/** What the OAuth server is made of. */
export interface OAuth {
  readonly core: Core;
  readonly settings: OAuthSettings;
  /** Reads what somebody else's server says of an application. */
  readonly readDocument: ReadDocument;
}
