export { Stayd } from './generated/client.js';
export * from './generated/errors.js';
export type * from './generated/types.js';
export { VERSION } from './generated/version.js';
export { type Failure, StaydConnectionError, StaydError } from './staydError.js';
export type { CallOptions, StaydOptions } from './transport.js';
export { type GivenHeaders, verifyWebhook, WebhookVerificationError, type WebhookRequest } from './webhook.js';
