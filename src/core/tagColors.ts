import { type Color, colors } from '../contract/propertyTags.ts';

/** A colour for a new tag: the one that fewest of the others have, in the order of the palette. */
export function assignColor(taken: readonly string[]): Color {
  const uses = colors.map((color) => taken.filter((one) => one === color).length);
  return colors[uses.indexOf(Math.min(...uses))] ?? colors[0];
}
