import { taxBases, type WrittenPlan } from './schema.ts';
import { isAmbiguous, isYearly } from './seasons.ts';

/** A field of a plan that cannot stand so. */
export interface PlanMistake {
  readonly path: readonly (string | number)[];
  /** Names what to do. */
  readonly problem: string;
}

/** Returns what a plan says against itself; each field alone is right already. */
export function planMistakes(plan: WrittenPlan): PlanMistake[] {
  return [
    ...limitMistakes(plan.stay, ['stay']),
    ...plan.seasons.flatMap((season, index) => limitMistakes(season, ['seasons', index])),
    ...seasonMistakes(plan),
    ...guestMistakes(plan),
    ...discountMistakes(plan),
    ...feeMistakes(plan),
    ...taxMistakes(plan),
    ...policyMistakes(plan),
  ];
}

type Path = readonly (string | number)[];

function limitMistakes(
  { min_nights = 1, max_nights }: Pick<WrittenPlan['stay'], 'min_nights' | 'max_nights'>,
  path: Path,
): PlanMistake[] {
  if (max_nights === undefined || max_nights >= min_nights) return [];
  return [{ path: [...path, 'max_nights'], problem: `must not be below min_nights, ${min_nights}` }];
}

function seasonMistakes({ seasons }: WrittenPlan): PlanMistake[] {
  return seasons.flatMap((season, index): PlanMistake[] => {
    const path = ['seasons', index];
    if (isYearly(season) !== isYearly({ from: season.to, to: season.to })) {
      return [{ path: [...path, 'to'], problem: 'must be written as from is: both with a year, or both without' }];
    }
    if (!isYearly(season) && season.to < season.from) {
      return [{ path: [...path, 'to'], problem: `must not lie before ${season.from}` }];
    }
    const twin = seasons.slice(0, index).find((one) => isWhole(one) && isAmbiguous(one, season));
    if (!twin) return [];
    const problem = `shares nights with "${twin.name}", which is as long: make one of them shorter, so that it counts`;
    return [{ path: [...path, 'from'], problem }];
  });
}

/** Two dates in order, or two days of every year. */
function isWhole(season: { from: string; to: string }): boolean {
  const yearly = isYearly(season);
  return yearly === isYearly({ from: season.to, to: season.to }) && (yearly || season.from <= season.to);
}

function guestMistakes({ guests: { most, included } }: WrittenPlan): PlanMistake[] {
  if (included === undefined || included <= most) return [];
  return [{ path: ['guests', 'included'], problem: `must not be above most, ${most}` }];
}

function discountMistakes({ discounts }: WrittenPlan): PlanMistake[] {
  return discounts.flatMap(({ from_nights }, index) =>
    discounts.slice(0, index).some((one) => one.from_nights === from_nights)
      ? [{ path: ['discounts', index, 'from_nights'], problem: 'is given twice: each discount has its own nights' }]
      : [],
  );
}

function feeMistakes({ fees }: WrittenPlan): PlanMistake[] {
  return fees.flatMap(({ name }, index): PlanMistake[] => {
    const path = ['fees', index, 'name'];
    if (isBase(name)) return [{ path, problem: `must not be "${name}", which names what a tax is of` }];
    const taken = fees.slice(0, index).some((one) => one.name.toLowerCase() === name.toLowerCase());
    return taken ? [{ path, problem: 'is taken by another fee of the plan' }] : [];
  });
}

function isBase(name: string): boolean {
  return taxBases.some((base) => base === name.toLowerCase());
}

function taxMistakes({ taxes, fees }: WrittenPlan): PlanMistake[] {
  return taxes.flatMap((tax, index): PlanMistake[] => {
    const at = (...path: (string | number)[]) => ['taxes', index, ...path];
    if ((tax.percent === undefined) === (tax.amount === undefined)) {
      return [{ path: at(), problem: 'must have either percent or amount' }];
    }
    if (tax.percent === undefined) {
      if (tax.of) return [{ path: at('of'), problem: 'belongs to a tax by percent; use per for an amount' }];
      return [];
    }
    for (const key of ['per', 'max_nights', 'exempt_below_age'] as const) {
      if (tax[key] !== undefined)
        return [{ path: at(key), problem: 'belongs to a tax of an amount, not of a percentage' }];
    }
    return (tax.of ?? []).flatMap((base, place): PlanMistake[] => {
      if (isBaseWritten(base)) return [];
      const fee = fees.find((one) => one.name === base);
      if (!fee) {
        const known = [...taxBases, ...fees.map((one) => one.name)].join(', ');
        return [{ path: at('of', place), problem: `"${base}" is no fee of the plan; there are ${known}` }];
      }
      return fee.taxable
        ? []
        : [{ path: at('of', place), problem: `"${base}" has taxable: false; change one of the two` }];
    });
  });
}

function isBaseWritten(base: string): boolean {
  return taxBases.some((one) => one === base);
}

function policyMistakes({ cancellation }: WrittenPlan): PlanMistake[] {
  if (typeof cancellation === 'string') return [];
  const { steps } = cancellation;
  return steps.flatMap(({ days_before, refund_percent }, index): PlanMistake[] => {
    const path = ['cancellation', 'steps', index];
    const others = steps.slice(0, index);
    if (others.some((one) => one.days_before === days_before)) {
      return [{ path: [...path, 'days_before'], problem: 'is given twice: each step has its own days' }];
    }
    const rises = others.some((one) =>
      one.days_before > days_before ? one.refund_percent < refund_percent : one.refund_percent > refund_percent,
    );
    return rises ? [{ path: [...path, 'refund_percent'], problem: 'must not be higher nearer to check-in' }] : [];
  });
}
