import type { FastifyRequest } from 'fastify';
import type { FormFile } from './formFile.ts';
import type { FormValue } from './visit.ts';

/** A form with files, not yet taken apart. */
export class Multipart {
  readonly #bytes: Buffer;
  readonly #type: string;

  constructor(bytes: Buffer, type: string) {
    this.#bytes = bytes;
    this.#type = type;
  }

  /** @throws TypeError for a body that is none of its type */
  async fields(): Promise<Record<string, FormValue | FormFile>> {
    const form = await new Response(new Uint8Array(this.#bytes), {
      headers: { 'content-type': this.#type },
    }).formData();
    const fields: Record<string, FormValue | FormFile> = {};
    for (const [name, value] of form as unknown as Iterable<[string, string | File]>) {
      if (typeof value === 'string') addTo(fields, name, value);
      // Browsers send an empty file where none was chosen.
      else if (value.size > 0) {
        fields[name] = { name: value.name, type: value.type, bytes: Buffer.from(await value.arrayBuffer()) };
      }
    }
    return fields;
  }
}

/** Returns the fields of an address; empty ones, which forms send for what was not chosen, count as absent. */
export function addressFields(request: FastifyRequest): Record<string, string> {
  const fields = Object.entries(request.query as Record<string, string | string[]>);
  return Object.fromEntries(
    fields.flatMap(([name, value]) => {
      const text = [value].flat().at(-1) ?? '';
      return text === '' ? [] : [[name, text]];
    }),
  );
}

/** Reads a form in an address-like body; a name that comes several times becomes a list. */
export function formFields(body: string): Record<string, FormValue> {
  const fields: Record<string, FormValue> = {};
  for (const [name, value] of new URLSearchParams(body)) addTo(fields, name, value);
  return fields;
}

function addTo(fields: Record<string, FormValue | FormFile>, name: string, value: string): void {
  const before = fields[name];
  fields[name] = typeof before === 'string' ? [before, value] : Array.isArray(before) ? [...before, value] : value;
}
