# Made by `npm run integrations` from the OpenAPI document; do not change it by hand.
