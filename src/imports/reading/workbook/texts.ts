import { TooMuch, type Archive } from './archive.ts';
import { readWholeXml } from './readXml.ts';

const MOST_BYTES = 100_000_000;
const MOST_TEXTS = 5_000_000;

/** Returns the texts that cells of a workbook refer to by number. Throws when there are too many to hold. */
export async function readTexts(archive: Archive, name: string | undefined): Promise<string[]> {
  const part = name === undefined ? undefined : archive.part(name, MOST_BYTES);
  if (!part) return [];
  const texts: string[] = [];
  const text = textCollector();
  await readWholeXml(part.chunks(), {
    onOpen(tag) {
      if (tag === 'si') text.take();
      else text.onOpen(tag);
    },
    onText: text.onText,
    onClose(tag) {
      text.onClose(tag);
      if (tag !== 'si') return;
      texts.push(text.take());
      if (texts.length > MOST_TEXTS) throw new TooMuch(`it has more than ${MOST_TEXTS} texts`);
    },
  });
  return texts;
}

/**
 * Collects the text of a cell: that of its `t`, or of the `t` in each of its formatted runs, without phonetic readings.
 */
export function textCollector() {
  let text = '';
  let isOpen = false;
  let isReading = false;
  return {
    onOpen(tag: string) {
      if (tag === 't') isOpen = !isReading;
      if (tag === 'rPh') isReading = true;
    },
    onText(piece: string) {
      if (isOpen) text += piece;
    },
    onClose(tag: string) {
      if (tag === 't') isOpen = false;
      if (tag === 'rPh') isReading = false;
    },
    /** Returns the text so far. The next one begins empty. */
    take(): string {
      const taken = unescaped(text);
      text = '';
      return taken;
    },
  };
}

/** Replaces the notation `_x000D_` of characters that XML cannot contain. */
export function unescaped(text: string): string {
  if (!text.includes('_x')) return text;
  return text.replace(/_x([0-9A-F]{4})_/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
}
