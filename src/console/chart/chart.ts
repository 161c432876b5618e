import { type Html, html } from '../../kernel/markup/html.ts';
import { labelStep, type Scale, scaleOf } from './scale.ts';

/** Series that a picture can tell apart. */
export const MOST_SERIES = 6;

/** One line, or one colour of bars. */
export interface Series {
  readonly name: string;
  /** A value for each label; null where there is none. */
  readonly values: readonly (number | null)[];
}

/** A picture of numbers that stand in a table beside it. */
export interface Chart {
  readonly id: string;
  /** Says what is shown, to those who do not see it. */
  readonly title: string;
  readonly kind: 'lines' | 'bars';
  readonly labels: readonly string[];
  /** At most {@link MOST_SERIES}. */
  readonly series: readonly Series[];
  format(value: number): string;
}

const WIDTH = 960;
const HEIGHT = 280;
const LEFT = 84;
const RIGHT = 12;
const TOP = 12;
const BOTTOM = 34;
const MOST_LABELS = 12;
const LONGEST_LABEL = 14;

/** Draws lines or bars with their axes, by classes of the style sheet alone. */
export function chart(given: Chart): Html {
  const values = given.series.flatMap((one) => one.values.filter((value) => value !== null));
  if (values.length === 0) return html``;
  const scale = scaleOf(values);
  const place = placesOf(given, scale);
  return html`<figure class="chart">
    <div class="scroll" tabindex="0" role="group" aria-label="${given.title}">
      <svg viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-labelledby="${given.id}-title">
        <title id="${given.id}-title">${given.title}</title>
        ${axes(given, scale, place)}
        ${given.series.map((one, index) =>
          given.kind === 'lines' ? line(one, index, place) : bars(given, index, place),
        )}
      </svg>
    </div>
    ${
      given.series.length > 1
        ? html`<ul class="keys">
            ${given.series.map(({ name }, index) => html`<li class="series-${index}">${name}</li>`)}
          </ul>`
        : ''
    }
  </figure>`;
}

interface Places {
  /** Width of the place of one label. */
  readonly step: number;
  x(index: number): number;
  y(value: number): number;
}

function placesOf({ labels }: Chart, { low, high }: Scale): Places {
  const step = (WIDTH - LEFT - RIGHT) / Math.max(1, labels.length);
  return {
    step,
    x: (index) => rounded(LEFT + step * (index + 0.5)),
    y: (value) => rounded(TOP + ((high - value) / (high - low)) * (HEIGHT - TOP - BOTTOM)),
  };
}

function axes({ labels, format }: Chart, { ticks }: Scale, { x, y }: Places): Html {
  const every = labelStep(labels.length, MOST_LABELS);
  return html`<g class="axis" aria-hidden="true">
    ${ticks.map(
      (tick) =>
        html`<line
            class="${tick === 0 ? 'zero' : ''}"
            x1="${LEFT}"
            x2="${WIDTH - RIGHT}"
            y1="${y(tick)}"
            y2="${y(tick)}"
          />
          <text x="${LEFT - 8}" y="${y(tick) + 4}" text-anchor="end">${format(tick)}</text>`,
    )}
    ${labels.map((label, index) =>
      index % every === 0
        ? html`<text x="${x(index)}" y="${HEIGHT - 12}" text-anchor="middle">${shortened(label)}</text>`
        : '',
    )}
  </g>`;
}

/** A line is interrupted where a value is missing. */
function line({ values }: Series, index: number, { x, y }: Places): Html {
  let path = '';
  let isDrawing = false;
  const points: Html[] = [];
  for (const [at, value] of values.entries()) {
    if (value === null) {
      isDrawing = false;
      continue;
    }
    path += `${isDrawing ? 'L' : 'M'}${x(at)} ${y(value)}`;
    isDrawing = true;
    points.push(html`<circle cx="${x(at)}" cy="${y(value)}" r="3" />`);
  }
  return html`<g class="series-${index}"><path d="${path}" fill="none" />${points}</g>`;
}

function bars({ series }: Chart, index: number, { x, y, step }: Places): Html {
  const values = series[index]?.values ?? [];
  const width = rounded(Math.min(48, (step * 0.76) / series.length));
  const start = -(width * series.length) / 2 + width * index;
  return html`<g class="series-${index}">
    ${values.map((value, at) => {
      if (value === null || value === 0) return '';
      const [top, bottom] = value > 0 ? [y(value), y(0)] : [y(0), y(value)];
      return html`<rect x="${rounded(x(at) + start)}" y="${top}" width="${width}" height="${rounded(bottom - top)}" />`;
    })}
  </g>`;
}

function shortened(label: string): string {
  return label.length > LONGEST_LABEL ? `${label.slice(0, LONGEST_LABEL - 1)}…` : label;
}

function rounded(value: number): number {
  return Math.round(value * 100) / 100;
}
