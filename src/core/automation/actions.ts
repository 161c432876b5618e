import { z } from 'zod';
import { taskTypes } from '../../contract/tasks.ts';
import { invalid } from '../../kernel/errors.ts';
import type { RuleType } from '../workTables.ts';

const score = z.number().min(0).max(5);
const message = z.strictObject({ content: z.string().trim().min(1).max(5_000) });
const review = z
  .strictObject({
    host_review_score: score.optional(),
    host_review_content: z.string().trim().min(1).max(1_000).optional(),
    category_ratings: z
      .strictObject({
        overall_rating: score.optional(),
        cleanliness: score.optional(),
        communication: score.optional(),
        respect_of_house_rules: score.optional(),
        recommend: z.union([z.literal(0), z.literal(1)]).optional(),
      })
      .optional(),
  })
  .refine((action) => Object.values(action).some((value) => value !== undefined), { error: 'says nothing' });
const task = z.strictObject({ task_type: z.enum(taskTypes), note: z.string().max(500).default('') });

const schemas = { message, review, task } satisfies Record<RuleType, z.ZodType>;

/** The action of a rule of each type. */
export type ActionOf<Type extends RuleType> = z.output<(typeof schemas)[Type]>;

/** Parses an action from input. @throws ApiError 422 naming the fields that do not fit */
export function readAction<Type extends RuleType>(type: Type, given: unknown): ActionOf<Type> {
  const result = schemas[type].safeParse(given);
  if (result.success) return result.data as ActionOf<Type>;
  const [issue] = result.error.issues;
  throw invalid(['action', ...(issue?.path.map(String) ?? [])].join('.'), issue?.message ?? 'does not fit');
}

/** Parses a stored action. */
export function storedAction<Type extends RuleType>(_type: Type, text: string): ActionOf<Type> {
  return JSON.parse(text) as ActionOf<Type>;
}
