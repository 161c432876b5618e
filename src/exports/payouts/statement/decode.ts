import { OperatorError } from '../../../kernel/errors.ts';

/** Most bytes of a file. The statement of one account is never larger. */
const LARGEST_FILE = 64 * 1024 * 1024;
/** Most bytes before the end of an encoding declaration. */
const HEAD = 1_024;
const XML_ENCODING = /<\?xml[^>]{0,200}?encoding\s{0,5}=\s{0,5}["']([A-Za-z0-9._-]{1,40})["']/i;

/**
 * Decodes a file by its byte order mark, else by its declaration, else as UTF-8. Refuses bytes that are not text in
 * that encoding, because a wrong guess would damage names and references.
 * @param stated an encoding given with the file; overrides the declaration
 * @throws OperatorError if the file cannot be decoded
 */
export function decoded(bytes: Uint8Array, stated?: string): string {
  if (bytes.length > LARGEST_FILE) {
    throw new OperatorError(`the file has ${bytes.length} bytes, ${LARGEST_FILE} are the most`, 'split it by month');
  }
  const encoding = markOf(bytes) ?? stated ?? declared(bytes) ?? 'utf-8';
  const decoder = decoderOf(encoding);
  try {
    return decoder.decode(bytes);
  } catch (error) {
    throw new OperatorError(
      `the file is not written in ${encoding}`,
      'save it as UTF-8, or for CSV name its encoding in the mapping: encoding: latin1',
      error,
    );
  }
}

function decoderOf(encoding: string): InstanceType<typeof TextDecoder> {
  try {
    return new TextDecoder(encoding, { fatal: true });
  } catch (error) {
    throw new OperatorError(
      `the file says it is written in ${encoding}, which is not known here`,
      'save it as UTF-8',
      error,
    );
  }
}

function markOf(bytes: Uint8Array): string | undefined {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  if (first === 0xfe && second === 0xff) return 'utf-16be';
  return first === 0xef && second === 0xbb && bytes[2] === 0xbf ? 'utf-8' : undefined;
}

function declared(bytes: Uint8Array): string | undefined {
  const head = new TextDecoder('latin1').decode(bytes.subarray(0, HEAD));
  const xml = XML_ENCODING.exec(head)?.[1];
  if (xml !== undefined) return xml;
  // OFX 1 declares `USASCII` with a code page, `UTF-8`, or `UNICODE`, by which programs mean UTF-8.
  const [, encoding = ''] = /^ENCODING:([A-Z0-9-]{1,20})/m.exec(head) ?? [];
  if (encoding === '') return undefined;
  if (encoding !== 'USASCII') return 'utf-8';
  const [, page = ''] = /^CHARSET:([A-Za-z0-9-]{1,20})/m.exec(head) ?? [];
  return page === '8859-1' || page === 'ISO-8859-1'
    ? 'iso-8859-1'
    : /^\d{3,4}$/.test(page)
      ? `windows-${page}`
      : 'windows-1252';
}
