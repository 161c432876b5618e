import { type BinaryOperationNode, FunctionNode, OperatorNode, SelectModifierNode, SqliteQueryCompiler } from 'kysely';
import { unindexedColumn } from '../queries/unindexed.ts';

const ROW_LOCKS: ReadonlySet<unknown> = new Set([
  'ForUpdate',
  'ForNoKeyUpdate',
  'ForShare',
  'ForKeyShare',
  'NoWait',
  'SkipLocked',
] satisfies SelectModifierNode['modifier'][]);

/** Translates three constructs that callers write in the form of PostgreSQL. */
export class SqliteCompiler extends SqliteQueryCompiler {
  /**
   * `column = any(list)`: the list is one parameter, bound as JSON, so the text is the same for any length. `column ||
   * ''`: see `unindexed`.
   */
  protected override visitBinaryOperation(node: BinaryOperationNode): void {
    const { leftOperand, operator, rightOperand } = node;
    const unindexed = unindexedColumn(node);
    if (unindexed) {
      // A unary plus keeps a column out of indexes, and its value unchanged.
      this.append('+');
      this.visitNode(unindexed);
    } else if (
      OperatorNode.is(operator) &&
      operator.operator === '=' &&
      FunctionNode.is(rightOperand) &&
      rightOperand.func === 'any'
    ) {
      this.visitNode(leftOperand);
      this.append(' in (select value from json_each(');
      this.compileList(rightOperand.arguments);
      this.append('))');
    } else {
      super.visitBinaryOperation(node);
    }
  }

  /** Drops row locks: a transaction holds the only write lock from its first statement on. */
  protected override visitSelectModifier(node: SelectModifierNode): void {
    if (!ROW_LOCKS.has(node.modifier)) super.visitSelectModifier(node);
  }
}
