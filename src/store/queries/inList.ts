import { BinaryOperationNode, type Expression, FunctionNode, OperatorNode, type SqlBool, ValueNode } from 'kysely';

/**
 * Builds `column in (values)` with the whole list as one parameter: the SQL text is the same for any number of values,
 * so it can be prepared once, and no list is too long. An empty list matches nothing.
 *
 *     .where((eb) => inList(eb.ref('reservation_code'), codes))
 */
export function inList<T extends string | number>(
  column: Expression<T> | Expression<T | null>,
  values: readonly T[],
): Expression<SqlBool> {
  // In the form of PostgreSQL; the SQLite compiler replaces it by `in (select … from json_each(?))`.
  const node = BinaryOperationNode.create(
    column.toOperationNode(),
    OperatorNode.create('='),
    FunctionNode.create('any', [ValueNode.create(values)]),
  );
  return { expressionType: undefined, toOperationNode: () => node };
}
