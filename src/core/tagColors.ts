import { type Color, colors } from '../contract/propertyTags.ts';

/** Returns the colour of a new tag: the one with the fewest tags, in the order of the palette. */
export function assignColor(taken: readonly string[]): Color {
  const uses = colors.map((color) => taken.filter((one) => one === color).length);
  return colors[uses.indexOf(Math.min(...uses))] ?? colors[0];
}
