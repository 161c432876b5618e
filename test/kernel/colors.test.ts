import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { accentOf, type Color, contrast, GROUNDS, isColor } from '../../src/kernel/markup/colors.ts';
import { BRANDED, styleOf } from '../../src/kernel/markup/look.ts';
import { BASE } from '../../src/kernel/markup/page.ts';

const anyColor = fc
  .integer({ min: 0, max: 0xffffff })
  .map((number): Color => `#${number.toString(16).padStart(6, '0')}`);

/** Relative luminance by the words of WCAG 2.2, written apart from the program. */
function luminanceOf(color: string): number {
  const linear = (hex: string) => {
    const share = Number.parseInt(hex, 16) / 0xff;
    return share > 0.04045 ? Math.pow((share + 0.055) / 1.055, 2.4) : share / 12.92;
  };
  const [, red = '', green = '', blue = ''] = /^#(..)(..)(..)$/.exec(color) ?? [];
  return linear(red) * 0.2126 + linear(green) * 0.7152 + linear(blue) * 0.0722;
}

function ratio(one: string, other: string): number {
  const [a, b] = [luminanceOf(one) + 0.05, luminanceOf(other) + 0.05];
  return Math.max(a / b, b / a);
}

/** The tokens of a style sheet, by scheme. */
function tokensOf(sheet: string): Record<'light' | 'dark', Map<string, string>> {
  const [light = '', dark = ''] = [...sheet.matchAll(/:root\s*\{([^}]*)\}/g)].map(([, inner]) => inner ?? '');
  const tokens = (text: string) =>
    new Map([...text.matchAll(/(--[\w-]+):\s*([^;]+)/g)].map(([, name = '', value = '']) => [name, value.trim()]));
  return { light: tokens(light), dark: tokens(dark) };
}

const long = (color = ''): string => (color.length === 4 ? color.replaceAll(/[0-9a-f]/g, '$&$&') : color);

describe('the colour of an account', () => {
  it('whatever it is, its accent can be read on every ground, and the ink on the accent: WCAG AA, light and dark', () => {
    fc.assert(
      fc.property(anyColor, fc.constantFrom('light', 'dark'), (color, scheme) => {
        const { accent, ink } = accentOf(color, scheme);
        for (const ground of GROUNDS[scheme])
          assert.ok(ratio(accent, ground) >= 4.5, `${color}: ${accent} on ${ground}`);
        assert.ok(ratio(ink, accent) >= 4.5, `${color}: ${ink} on ${accent}`);
      }),
      {
        numRuns: 20_000,
        examples: [
          ['#ffffff', 'light'],
          ['#000000', 'dark'],
          ['#767676', 'light'],
          ['#ffff00', 'light'],
        ],
      },
    );
  });

  it('stays as it is where it can be read already', () => {
    assert.equal(accentOf('#0b57a8', 'light').accent, '#0b57a8');
    assert.equal(accentOf('#8cc2ff', 'dark').accent, '#8cc2ff');
    assert.equal(accentOf('#ffffff', 'dark').accent, '#ffffff');
  });

  it('contrast is that of WCAG 2', () => {
    assert.equal(contrast('#000000', '#ffffff'), 21);
    fc.assert(
      fc.property(anyColor, anyColor, (one, other) => Math.abs(contrast(one, other) - ratio(one, other)) < 1e-9),
    );
  });

  it('is six hexadecimal digits and nothing else', () => {
    for (const text of ['#0b57a8', '#ffffff']) assert.ok(isColor(text));
    for (const text of ['', '#fff', '0b57a8', '#0b57a8;', '#0B57A8', 'red', '#0b57a8\n', '#0b57ag', 'url(x)']) {
      assert.ok(!isColor(text), text);
    }
  });

  it('makes a style sheet of three colours and no other values', () => {
    fc.assert(
      fc.property(anyColor, (color) => {
        const values = [...styleOf(color).matchAll(/:([^;{}:()]+)[;}]/g)].map(([, value]) => value);
        assert.equal(values.length, 5);
        for (const value of values) assert.match(String(value), /^#[0-9a-f]{6}$/);
        assert.ok(styleOf(color).startsWith(`.${BRANDED}{--brand:${color};`));
      }),
    );
  });
});

describe('pages outside of the console', () => {
  const base = readFileSync(new URL('../../src/console/browser/style/base.css', import.meta.url), 'utf8');
  const [ours, consoles] = [tokensOf(BASE), tokensOf(base)];
  for (const scheme of ['light', 'dark'] as const) {
    it(`have the tokens of the console, ${scheme}`, () => {
      assert.ok(ours[scheme].size >= 14);
      for (const [name, value] of ours[scheme]) assert.equal(consoles[scheme].get(name), value, name);
    });

    it(`have grounds on which accents were judged, ${scheme}`, () => {
      const grounds = ['--paper', '--ground', '--note-paper'].map((name) => long(consoles[scheme].get(name)));
      assert.deepEqual([...GROUNDS[scheme]], grounds);
    });
  }
});
