import { SaxesParser } from 'saxes';
import { turn } from '../../../kernel/clock.ts';

/** Receives the tags of a document, by their names without a prefix, and the text in between. */
interface XmlListener {
  onOpen: (name: string, attributes: Readonly<Record<string, string>>) => void;
  onText?: (text: string) => void;
  onClose?: (name: string) => void;
}

/** Most characters of a tag or text. A cell may have 32,767 characters, some of them written with six. */
const LONGEST_TOKEN = 1_000_000;
const DEEPEST = 100;

/**
 * Reads XML in chunks, and yields after each chunk, when the listener has received its content; the event loop
 * continues in between. Throws when the text is not well-formed, is nested too deeply, or has a tag or text of more
 * than a million characters. Entities that the document declares are not resolved.
 */
export async function* readXml(chunks: AsyncIterable<Buffer>, listener: XmlListener): AsyncGenerator<void> {
  const parser = new SaxesParser<{ position: false; xmlns: false }>({ position: false, xmlns: false });
  let unread = 0;
  let depth = 0;
  const guarded =
    <Value>(listen: (value: Value) => void) =>
    (value: Value) => {
      unread = 0;
      listen(value);
    };
  parser.on(
    'opentag',
    guarded(({ name, attributes }) => {
      depth += 1;
      if (depth > DEEPEST) throw new Error(`its tags are nested more than ${DEEPEST} deep`);
      listener.onOpen(localName(name), attributes);
    }),
  );
  parser.on(
    'closetag',
    guarded(({ name }) => {
      depth -= 1;
      listener.onClose?.(localName(name));
    }),
  );
  const onText = guarded((text: string) => listener.onText?.(text));
  parser.on('text', onText);
  parser.on('cdata', onText);
  for await (const text of decoded(chunks)) {
    unread += text.length;
    parser.write(text);
    if (unread > LONGEST_TOKEN) throw new Error(`it has text of more than ${LONGEST_TOKEN} characters in one place`);
    yield;
    await turn();
  }
  parser.close();
}

/** Reads a document to its end. */
export async function readWholeXml(chunks: AsyncIterable<Buffer>, listener: XmlListener): Promise<void> {
  for await (const _ of readXml(chunks, listener));
}

/** Decodes XML. Without a declaration it is UTF-8, the encoding of workbooks; UTF-16 has a byte order mark. */
async function* decoded(chunks: AsyncIterable<Buffer>): AsyncGenerator<string> {
  let decoder: InstanceType<typeof TextDecoder> | undefined;
  for await (const chunk of chunks) {
    decoder ??= new TextDecoder(encodingOf(chunk), { fatal: true });
    yield decoder.decode(chunk, { stream: true });
  }
  yield decoder?.decode() ?? '';
}

function encodingOf(start: Buffer): string {
  if (start[0] === 0xff && start[1] === 0xfe) return 'utf-16le';
  return start[0] === 0xfe && start[1] === 0xff ? 'utf-16be' : 'utf-8';
}

function localName(name: string): string {
  return name.slice(name.indexOf(':') + 1);
}
