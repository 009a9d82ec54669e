import type { Finding } from '../../utils/reports/finding.ts'
import type { VariantOutcome } from './sweep.ts'

/**
 * Lists the fields of which no mutant was noticed. Other variants are skipped. A flaky outcome counts as neither noticed
 * nor unnoticed.
 *
 * @example unnoticedFields(outcomes) // ['annotation.created_by']
 */
export function unnoticedFields(
  outcomes: readonly Pick<VariantOutcome, 'variant' | 'outcome'>[],
): string[] {
  const byField = new Map<string, VariantOutcome['outcome'][]>()
  for (const { variant, outcome } of outcomes) {
    // A target with a dot is a field. Otherwise the mutant changes a whole row or response.
    const [, field] = /^mutate\.([^=]+\.[^=]+)=/.exec(variant.id) ?? []
    if (field !== undefined) byField.set(field, [...(byField.get(field) ?? []), outcome])
  }
  return [...byField]
    .filter(([, each]) => each.every((outcome) => outcome === 'passed'))
    .map(([field]) => field)
}

/** @returns no finding without fields */
export function unnoticedFinding(fields: readonly string[]): Finding[] {
  if (fields.length === 0) return []
  return [
    {
      rule: 'mutants-unnoticed',
      level: 'note',
      message: `No change of ${fields.length === 1 ? '1 field' : `${fields.length} fields`} was noticed.`,
      cure: 'If the client uses the field, test what it does with it.',
      details: fields,
    },
  ]
}
