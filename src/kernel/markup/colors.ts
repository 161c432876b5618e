/** A colour as `#rrggbb`, in lower case. */
export type Color = `#${string}`;

type Channels = readonly [red: number, green: number, blue: number];

const COLOR = /^#[0-9a-f]{6}$/;
/** Contrast of text that people can read (WCAG 2, AA). */
const READABLE = 4.5;
/** Steps of the way from a colour to black or white. */
const STEPS = 64;
/** What accents stand on, light and dark: the page, what is set off from it, and notes. */
export const GROUNDS = {
  light: ['#ffffff', '#f6f7f8', '#eef4fb'],
  dark: ['#14171a', '#1b1f23', '#1c2a3a'],
} as const satisfies Readonly<Record<string, readonly Color[]>>;

/** An accent that can be read on every ground, and the ink that can be read on the accent. */
export interface Accent {
  readonly accent: Color;
  readonly ink: Color;
}

export function isColor(text: string): text is Color {
  return COLOR.test(text);
}

/** Returns the ratio of contrast of two colours (WCAG 2), from 1 to 21. */
export function contrast(one: Color, other: Color): number {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].toSorted((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

/** Returns the shade of a colour that is nearest to it and that can be read on light or on dark pages. */
export function accentOf(color: Color, scheme: keyof typeof GROUNDS): Accent {
  const end: Color = scheme === 'light' ? '#000000' : '#ffffff';
  const shades = Array.from({ length: STEPS + 1 }, (_, step) => mixed(color, end, step / STEPS));
  const accent = shades.find((shade) => GROUNDS[scheme].every((ground) => contrast(shade, ground) >= READABLE)) ?? end;
  // One of the two always has a contrast above 4.58.
  const ink = contrast('#ffffff', accent) >= contrast('#000000', accent) ? '#ffffff' : '#000000';
  return { accent, ink };
}

function mixed(from: Color, to: Color, part: number): Color {
  const [start, end] = [channelsOf(from), channelsOf(to)];
  const hex = start.map((channel, index) =>
    Math.round(channel + ((end[index] ?? 0) - channel) * part)
      .toString(16)
      .padStart(2, '0'),
  );
  return `#${hex.join('')}`;
}

function luminance(color: Color): number {
  const [red = 0, green = 0, blue = 0] = channelsOf(color).map((channel) => {
    const value = channel / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function channelsOf(color: Color): Channels {
  const number = Number.parseInt(color.slice(1), 16);
  return [number >> 16, (number >> 8) & 0xff, number & 0xff];
}
