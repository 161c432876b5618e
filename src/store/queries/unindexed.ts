import { BinaryOperationNode, type Expression, OperatorNode, ValueNode } from 'kysely';

/**
 * Keeps a text column out of indexes: conditions and orders on it apply after another path has found the rows. For
 * queries in which SQLite, without knowledge of the values, would choose the longer path.
 */
export function unindexed<T extends string | null>(column: Expression<T>): Expression<T> {
  // In the form of PostgreSQL; SQLite's compiler replaces it by a plus sign, which is free.
  const node = BinaryOperationNode.create(
    column.toOperationNode(),
    OperatorNode.create('||'),
    ValueNode.createImmediate(''),
  );
  return { expressionType: undefined, toOperationNode: () => node };
}

/** Returns the column inside {@link unindexed}. */
export function unindexedColumn({ leftOperand, operator, rightOperand }: BinaryOperationNode) {
  const isWrapped =
    OperatorNode.is(operator) &&
    operator.operator === '||' &&
    ValueNode.is(rightOperand) &&
    rightOperand.immediate === true &&
    rightOperand.value === '';
  return isWrapped ? leftOperand : undefined;
}
