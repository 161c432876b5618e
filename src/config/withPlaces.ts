import { editedYaml, setInYaml } from './editedYaml.ts';

/** A setting: the path to it, and its value. */
export type PlacedSetting = readonly [path: readonly string[], value: string];

/**
 * Returns the text of a settings file with these settings of the books; comments, order and all else remain.
 * @throws UsageError if the text is not readable as settings
 */
export function withPlaces(text: string, file: string, settings: readonly PlacedSetting[]): string {
  const document = editedYaml(text, file);
  for (const [path, value] of settings) setInYaml(document, path, value);
  return String(document);
}
