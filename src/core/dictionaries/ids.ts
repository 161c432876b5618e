/** First id of an account's own dictionary rows and channels. Lower numbers are taken by the description. */
export const FIRST_OWN_ID = 100;
