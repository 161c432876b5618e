import { alpha2ToAlpha3, alpha3ToAlpha2 } from 'i18n-iso-countries/index.js';

/**
 * Returns the ISO 3166-1 alpha-2 code for an alpha-2 or alpha-3 code; null for any other text, including withdrawn
 * codes such as `TMP`. A two-letter code stays: the hotel data writes China as `CN` among alpha-3 codes.
 */
export function countryCode(text: string): string | null {
  const code = text.toUpperCase();
  if (code.length === 2) return alpha2ToAlpha3(code) === undefined ? null : code;
  return alpha3ToAlpha2(code) ?? null;
}
