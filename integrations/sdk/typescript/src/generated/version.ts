// Made by `npm run integrations` from the OpenAPI document; do not change it by hand.

/** The version of this package, and of the service that it was made from. */
export const VERSION = '0.1.0';
