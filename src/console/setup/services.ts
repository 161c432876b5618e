import type { FormFile } from '../formFile.ts';
import type { Person } from '../person.ts';

/** The fact that says where the refused rows of an import are kept; its value is no word for people. */
export const REFUSED_ROWS = 'refused_rows';

/** Long work that somebody began on a page. */
export interface Job {
  readonly kind: 'import' | 'simulation';
  readonly state: 'running' | 'done' | 'failed';
  readonly done: number;
  readonly total: number;
  /** What is being done; at the end what came of it, or why it failed. */
  readonly text: string;
  /** What came of it: words for each fact are among the texts of Setup; a state of reservations names itself. */
  readonly facts: readonly (readonly [fact: string, value: string])[];
}

/** What another deployment says of itself at first contact. */
export interface Contact {
  readonly profile: string;
  readonly account: string | null;
  readonly time_zone: string | null;
  readonly currency: string | null;
  /** True if the token may write; null if nobody can tell. */
  readonly may_write: boolean | null;
  /** Operations that were refused, with the words of the refusal. */
  readonly refused: readonly string[];
}

interface Deployment {
  readonly url: string;
  readonly token: string;
}

/** The server that sends mail for the installation, without its password. */
export interface MailServerShown {
  readonly host: string;
  readonly port: number;
  readonly security: 'starttls' | 'tls' | 'none';
  /** null: nobody signs in. */
  readonly user: string | null;
  /** The sender, such as `Sea View <reception@rooms.example>`. */
  readonly from: string;
}

export interface MailServerDraft extends MailServerShown {
  /** Empty: the one that is stored, while server, port and user stay the same. */
  readonly password: string;
}

/** What Setup can do beside the operations that everybody uses; compose connects it. */
export interface SetupServices {
  /** Keeps an uploaded file and proposes a mapping of its columns. @throws ApiError 422 for a file without reservations */
  propose(person: Person, file: FormFile): Promise<{ upload: string; mapping: string; remarks: readonly string[] }>;
  /** Begins to import an uploaded file. @throws ApiError for a mapping with mistakes, or while other work goes on */
  startImport(person: Person, given: { upload: string; mapping: string }): Promise<void>;
  /** Begins to play guests and marketplaces. @throws ApiError while other work goes on */
  startSimulation(person: Person, order: { days: number; properties: number }): Promise<void>;
  /** Returns the work that was last begun for the person's account. */
  job(person: Person): Promise<Job | undefined>;
  /** Returns the rows that the last import refused, each with its reason, as CSV. @throws ApiError 404 if they are gone */
  refusedRows(person: Person): Promise<{ name: string; bytes: Buffer }>;
  /** Calls another deployment with a token, and changes nothing. @throws ApiError in words of what went wrong */
  contact(deployment: Deployment): Promise<Contact>;
  /** Writes the connection into the settings; the service begins again with them. @returns its name */
  connect(
    person: Person,
    deployment: Deployment & { time_zone?: string | undefined; currency?: string | undefined },
  ): Promise<string>;
  /** Returns the server that sends mail; null: none is set. */
  mailServer(): Promise<MailServerShown | null>;
  /** Tries a server for mail and writes it into the settings; the service begins again with it. @throws ApiError */
  setMailServer(person: Person, draft: MailServerDraft): Promise<void>;
}
