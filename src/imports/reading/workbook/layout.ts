import type { Archive } from './archive.ts';
import { readWholeXml } from './readXml.ts';

/** Most bytes of a part that only lists others. Such parts are small, however long the sheets. */
const MOST_BYTES = 20_000_000;

/** A sheet of a workbook that has rows. */
export interface SheetPart {
  name: string;
  /** The part with its rows. */
  part: string;
  isHidden: boolean;
}

/** The locations of a workbook's parts, and its calendar base. */
export interface Layout {
  /** Sheets in the order of the workbook. */
  sheets: readonly SheetPart[];
  texts: string | undefined;
  styles: string | undefined;
  /** true: days are counted from 1904, as on old Macs, instead of from 1900. */
  from1904: boolean;
}

interface Relation {
  type: string;
  target: string;
}

/** Follows the relations of a workbook. Throws when its parts cannot be found. */
export async function readLayout(archive: Archive): Promise<Layout> {
  const root = await relationsOf(archive, '');
  const main = [...root.values()].find(({ type }) => type === 'officeDocument')?.target ?? 'xl/workbook.xml';
  const relations = await relationsOf(archive, main);
  const { listed, from1904 } = await workbookOf(archive, main);
  const sheets = listed.flatMap(({ name, id, isHidden }) => {
    const relation = relations.get(id);
    return relation?.type === 'worksheet' ? [{ name, part: relation.target, isHidden }] : [];
  });
  const partOf = (type: string) => [...relations.values()].find((relation) => relation.type === type)?.target;
  return { sheets, texts: partOf('sharedStrings'), styles: partOf('styles'), from1904 };
}

interface Listed {
  name: string;
  id: string;
  isHidden: boolean;
}

async function workbookOf(archive: Archive, main: string): Promise<{ listed: Listed[]; from1904: boolean }> {
  const part = archive.part(main, MOST_BYTES);
  if (!part) throw new Error(`it has no part ${main}`);
  const listed: Listed[] = [];
  let from1904 = false;
  await readWholeXml(part.chunks(), {
    onOpen(tag, attributes) {
      if (tag === 'workbookPr') from1904 = /^(?:1|true)$/.test(attributes['date1904'] ?? '');
      if (tag !== 'sheet') return;
      const id = Object.entries(attributes).find(([key]) => key.endsWith(':id'))?.[1] ?? '';
      const state = attributes['state'] ?? 'visible';
      listed.push({ name: attributes['name'] ?? '', id, isHidden: state !== 'visible' });
    },
  });
  return { listed, from1904 };
}

/** Returns the relations of a part by their ids, with targets as names of parts; those of the whole archive for ''. */
async function relationsOf(archive: Archive, owner: string): Promise<Map<string, Relation>> {
  const folder = owner.slice(0, owner.lastIndexOf('/') + 1);
  const part = archive.part(`${folder}_rels/${owner.slice(folder.length)}.rels`, MOST_BYTES);
  const relations = new Map<string, Relation>();
  if (!part) return relations;
  await readWholeXml(part.chunks(), {
    onOpen(tag, { Id: id, Type: type = '', Target: target = '', TargetMode: mode }) {
      if (tag !== 'Relationship' || id === undefined || mode === 'External') return;
      relations.set(id, { type: type.slice(type.lastIndexOf('/') + 1), target: partName(folder, target) });
    },
  });
  return relations;
}

/** Resolves a target: `../x.xml` from `xl/` is `x.xml`; a leading slash means the root. */
function partName(folder: string, target: string): string {
  return decodeURIComponent(new URL(target, `file:///${folder}`).pathname.slice(1));
}
