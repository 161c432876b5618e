import type { Source, Violation } from './source.ts';

/**
 * Channels as other deployments call them: those of profiles, in whatever form. Nothing in the program may know them,
 * for a rule that goes by a name of theirs does nothing where they are called otherwise. Only what talks to a marketplace
 * itself knows its habits.
 */
export function foreignNames(source: Source, foreign: ReadonlySet<string>): Violation[] {
  if (source.file.startsWith('src/channels/')) return [];
  return source.places.flatMap(({ node }) => {
    const texts =
      node.type === 'Literal' && typeof node.value === 'string'
        ? [node.value]
        : node.type === 'TemplateElement'
          ? node.value.raw.split(/[\s/"'`,]+/)
          : node.type === 'Property' && node.key.type === 'Identifier'
            ? [node.key.name]
            : [];
    return texts
      .filter((text) => foreign.has(text.toLowerCase()))
      .map((text) => source.at(node, `${text} is a name of another deployment: it belongs into config/profiles`));
  });
}
