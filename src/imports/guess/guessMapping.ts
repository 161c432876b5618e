import { Document, isCollection, isPair } from 'yaml';
import { OperatorError } from '../../kernel/errors.ts';
import { decimalText } from '../../kernel/money.ts';
import type { Mapping } from '../mapping.ts';
import type { Booking, Outcome } from '../outcome.ts';
import { reservationParser, NO_CONTEXT } from '../parseReservation.ts';
import type { Draft } from './draftMapping.ts';
import { propose, type Proposal } from './propose.ts';
import { samplesOf, type Sample } from './sample.ts';

const SHOWN_ROWS = 5;

/**
 * Proposes a mapping for a text file, or for the first sheet of a workbook that has reservations. The text is YAML that
 * `--mapping` accepts unchanged. Its comments list missing fields, points to check and five rows as they would be
 * imported. It stores nothing. Throws an OperatorError when it finds no dates of the stay.
 */
export async function guessMapping(path: string, presets: readonly Preset[] = []): Promise<string> {
  const { sample, proposal } = await firstProposal(path);
  const fitting = presets.filter((preset) => fits(preset, sample)).map(({ name }) => name);
  return `${comment(introduction(sample, proposal, fitting))}\n${yamlOf(proposal.draft)}\n${comment(preview(proposal))}`;
}

/** Returns the first proposal that succeeds. If none does, it throws the error of the first sample. */
async function firstProposal(path: string): Promise<{ sample: Sample; proposal: Proposal }> {
  let failure: OperatorError | undefined;
  for (const read of await samplesOf(path)) {
    try {
      const sample = await read();
      return { sample, proposal: propose(sample) };
    } catch (error) {
      if (!(error instanceof OperatorError)) throw error;
      failure ??= error;
    }
  }
  throw failure ?? new Error('a file has at least one sample');
}

/** A mapping that comes with stayd. */
interface Preset {
  name: string;
  mapping: Mapping;
}

/** Returns true if the file has all columns of the preset, and at least half of its rows become reservations by it. */
function fits({ mapping }: Preset, sample: Sample): boolean {
  if (mapping.format.sheet !== sample.layout.sheet) return false;
  try {
    const outcomes = sample.rowsIn(mapping.format).map(reservationParser(mapping, sample, NO_CONTEXT));
    return outcomes.filter(({ kind }) => kind === 'booking').length * 2 > outcomes.length;
  } catch (error) {
    if (error instanceof OperatorError) return false;
    throw error;
  }
}

function introduction(sample: Sample, { outcomes, doubts, missing }: Proposal, presets: readonly string[]): string[] {
  const rejected = outcomes.filter(({ kind }) => kind === 'rejection').length;
  return [
    ...presets.map((name) => `Its columns are those of a mapping that comes with stayd: --mapping ${name}`),
    `A proposal for ${oneLine(sample.name)}, from its first ${sample.rows.length} rows; ${rejected} of them would be rejected.`,
    'Read it, save it to a file and correct it there; config/imports/hotel-bookings.yaml explains every key.',
    ...(missing.length > 0 ? ['', `No column was found for: ${missing.join(', ')}.`] : []),
    ...(doubts.length > 0 ? ['', 'To be checked:', ...doubts.map((doubt) => `- ${oneLine(doubt)}`)] : []),
  ];
}

function yamlOf(draft: Draft): string {
  const document = new Document(draft);
  for (const section of ['format', 'booking', 'income']) {
    const node = document.get(section, true);
    if (!isCollection(node)) continue;
    for (const item of node.items) asOneLine(isPair(item) ? item.value : item);
  }
  return document.toString({ lineWidth: 0 });
}

function asOneLine(node: unknown): void {
  if (isCollection(node)) node.flow = true;
}

function preview({ outcomes }: Proposal): string[] {
  const shown = outcomes.slice(0, SHOWN_ROWS);
  return [
    `The first ${shown.length} rows as they would be imported:`,
    ...shown.map((outcome) => oneLine(lineOf(outcome))),
  ];
}

function lineOf(outcome: Outcome): string {
  if (outcome.kind === 'booking') return `line ${outcome.line}: ${textOf(outcome)}`;
  const problems = outcome.problems.map(({ field, reason, value }) => `${field}: ${reason} (${value})`);
  return `line ${outcome.line}: rejected, ${problems.join('; ')}`;
}

function textOf(booking: Booking): string {
  const { checkIn, checkOut, place, guestName, guests, currency, total, bookedAt, income } = booking;
  const state = booking.noShow ? 'no-show' : booking.status;
  return [
    `${checkIn} to ${checkOut}`,
    'property' in place ? place.property : `a unit of ${place.group}`,
    `${guestName} (${guests} ${guests === 1 ? 'guest' : 'guests'})`,
    booking.cancelledAt === null ? state : `${state} ${booking.cancelledAt}`,
    ...(currency === null ? [] : [`${currency} ${decimalText(total, currency)}`]),
    ...(bookedAt === null ? [] : [`booked ${bookedAt}`]),
    ...(income === null || currency === null ? [] : [`income ${decimalText(income.amount, currency)} on ${income.at}`]),
  ].join(', ');
}

function comment(lines: readonly string[]): string {
  return lines.map((line) => (line === '' ? '#\n' : `# ${line}\n`)).join('');
}

/** Removes line ends, so that no text of the file ends the comment around it. */
function oneLine(text: string): string {
  return text.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ');
}
