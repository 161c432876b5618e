import { BinaryOperationNode, type Expression, OperatorNode, ValueNode } from 'kysely';

/**
 * A text column as it is, but in no index: conditions and orders on it are looked at when rows are found by something
 * else. For where SQLite, which knows nothing of the values, would take the longer way.
 */
export function unindexed<T extends string | null>(column: Expression<T>): Expression<T> {
  // Written as PostgreSQL has it; SQLite's compiler puts a plus sign in its place, which costs nothing for each row.
  const node = BinaryOperationNode.create(
    column.toOperationNode(),
    OperatorNode.create('||'),
    ValueNode.createImmediate(''),
  );
  return { expressionType: undefined, toOperationNode: () => node };
}

/** The column that {@link unindexed} has wrapped. */
export function unindexedColumn({ leftOperand, operator, rightOperand }: BinaryOperationNode) {
  const isWrapped =
    OperatorNode.is(operator) &&
    operator.operator === '||' &&
    ValueNode.is(rightOperand) &&
    rightOperand.immediate === true &&
    rightOperand.value === '';
  return isWrapped ? leftOperand : undefined;
}
