import type { Node } from 'oxc-parser';
import { nameOf, propertyOf, type Source, type Violation } from './source.ts';

/** Where SQL is put together from the names of tables and columns that stand in the program. */
const BUILDERS = new Set([
  'src/store/queries/fullText.ts',
  'src/store/queries/insertMany.ts',
  'src/store/migrate.ts',
  'src/store/queries/moment.ts',
  'src/store/queries/postgresMoment.ts',
  'src/store/postgres.ts',
  'src/store/queries/readRows.ts',
  'src/store/sqlite/reading.ts',
  'src/store/leases/sequences.ts',
  'src/reports/query.ts',
  'src/reports/read.ts',
  'src/compose/analytics/select.ts',
  // Column expressions of the declared views, and sizes of pages.
  'src/compose/analytics/parquet/rows.ts',
  'src/compose/analytics/parquet/writeParquet.ts',
  'src/compose/analytics/onPostgres.ts',
  'src/compose/analytics/onSqlite.ts',
  // Statements about roles take no parameters; names are checked, and of a password only its hash goes in.
  'src/compose/analytics/roles.ts',
]);
/** They take no input of any kind. */
const MIGRATIONS = 'migrations/';

/** Puts a text into a statement as it is; `sql.ref`, `sql.table` and `sql.id` quote, values are bound. */
const RAW = new Set(['raw', 'lit']);
const RAW_OWNERS = new Set(['sql', 'CompiledQuery']);
const STATEMENT =
  /^\s*(select\s[^]*\bfrom\b|insert\s+into\b|update\s+\S+\s+set\b|delete\s+from\b|(create|drop|alter)\s+(\w+\s+)*(table|index|trigger|view|schema|sequence)\b|pragma\s|attach\s|with\s[^]*\bselect\b)/i;

/** SQL made of texts: values must be parameters, and names be quoted by the query builder. */
export function madeStatements(source: Source): Violation[] {
  if (BUILDERS.has(source.file) || source.file.startsWith(MIGRATIONS)) return [];
  return source.places.flatMap(({ node, around }) => {
    if (node.type === 'CallExpression' && isRaw(node.callee) && !node.arguments.every(isConstant)) {
      return [source.at(node, `${propertyOf(node.callee)} of something that is no constant: bind it`)];
    }
    const isTagged = around.at(-1)?.type === 'TaggedTemplateExpression';
    if (node.type === 'TemplateLiteral' && node.expressions.length > 0 && !isTagged) {
      const text = node.quasis.map((part) => part.value.cooked ?? '').join('x');
      if (STATEMENT.test(text)) return [source.at(node, 'SQL from a template: tag it with sql')];
    }
    if (node.type === 'BinaryExpression' && node.operator === '+' && STATEMENT.test(joined(node))) {
      return [source.at(node, 'SQL from pieces: write one sql template')];
    }
    return [];
  });
}

function isRaw(callee: Node): boolean {
  if (callee.type !== 'MemberExpression') return false;
  return RAW.has(propertyOf(callee) ?? '') && RAW_OWNERS.has(nameOf(callee.object) ?? '');
}

/** A literal, or a name in capitals, which is one by the habit of this tree. */
function isConstant(node: Node): boolean {
  if (node.type === 'TSAsExpression') return isConstant(node.expression);
  if (node.type === 'TemplateLiteral') return node.expressions.length === 0;
  return node.type === 'Literal' || (node.type === 'Identifier' && /^[A-Z][A-Z0-9_]*$/.test(node.name));
}

function joined(node: Node): string {
  if (node.type === 'BinaryExpression' && node.operator === '+') return joined(node.left) + joined(node.right);
  if (node.type === 'TemplateLiteral') return node.quasis.map((part) => part.value.cooked ?? '').join('x');
  return node.type === 'Literal' && typeof node.value === 'string' ? node.value : 'x';
}
