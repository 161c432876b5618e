import type { Core } from '../../core/context.ts';
import type { Logger } from '../../kernel/log.ts';
import type { OAuth } from '../../oauth/server.ts';

export interface OAuthOptions {
  readonly core: Core;
  readonly oauth: OAuth;
  readonly log: Logger;
  readonly trustedProxies: readonly string[];
}
