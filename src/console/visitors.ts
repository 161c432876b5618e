import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Person } from './visit.ts';

/** The one port's way to know people, and to show pages; the listener has both. */
export interface Visitors {
  /** @throws ApiError 420 for an account that may not use the service now */
  personOf(request: FastifyRequest): Promise<Person | undefined>;
  /**
   * Signs a person in on this browser. @returns `step` if a second factor is needed first
   * @throws ApiError for wrong credentials
   */
  signIn(
    request: FastifyRequest,
    reply: FastifyReply,
    given: { login: string; password: string },
  ): Promise<'session' | 'step'>;
  /** Returns what the person can answer with at the second step. @throws ApiError 401 if there is none under way */
  choices(request: FastifyRequest): Promise<{ readonly codes: boolean; readonly passkey: object | undefined }>;
  /** Ends the second step. @throws ApiError for a wrong answer */
  secondStep(
    request: FastifyRequest,
    reply: FastifyReply,
    given: { code?: string | undefined; passkey?: string | undefined },
  ): Promise<void>;
  /** Lets a person choose login and password by a one-time secret. @throws ApiError */
  accept(
    request: FastifyRequest,
    reply: FastifyReply,
    given: { secret: string; login: string; password: string },
  ): Promise<void>;
  /** Changes the password of who is signed in, and keeps them signed in on this browser. @throws ApiError */
  changePassword(request: FastifyRequest, reply: FastifyReply, given: { old: string; password: string }): Promise<void>;
  signOut(request: FastifyRequest, reply: FastifyReply): Promise<void>;
  /** Returns the origin that the browser shows, such as `https://stay.example`. */
  originOf(request: FastifyRequest): string;
  /** Returns the address that a request came from, by which strangers are counted. */
  addressOf(request: FastifyRequest): string;
  /** Returns true if a page of ours sent this request. */
  isOurs(request: FastifyRequest): boolean;
  /** Returns the headers of a page with this content policy. */
  headers(policy: string): Record<string, string>;
}
