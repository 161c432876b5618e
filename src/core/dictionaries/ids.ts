/** Own dictionary rows and channels start above the numbers the description has given away. */
export const FIRST_OWN_ID = 100;
