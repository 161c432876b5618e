import type { Core } from '../core/accounts/ground.ts';

/** Settings of the service's owner. */
interface OAuthSettings {
  /** true: applications may register themselves. */
  readonly dynamicRegistration: boolean;
  /** true: an application may be described at the address that is its client_id. */
  readonly metadataDocuments: boolean;
  /** Days after which a person must authorise an application again, however often it refreshed. */
  readonly grantDays: number;
}

/** Reads a document at an address, or returns the reason of a failure. */
type ReadDocument = (
  url: string,
) => Promise<{ text: string; headers: Readonly<Record<string, string>> } | { problem: string }>;

/** The parts of the OAuth server. */
export interface OAuth {
  readonly core: Core;
  readonly settings: OAuthSettings;
  /** Reads an application's description from its own server. */
  readonly readDocument: ReadDocument;
}
