import { expect, test } from 'vitest'
import { findDependences, toFinding } from '../../../../src/analysis/variants/dependences.ts'
import type { VariantOutcome } from '../../../../src/analysis/variants/sweep.ts'
import { policyVariants, type Variant } from '../../../../src/analysis/variants/variant.ts'
import type { PolicyId } from '../../../../src/policies/policies.ts'
import { createSimulator } from '../../../../src/simulator.ts'

const { settings } = createSimulator().policies

const failed = (variant: Variant): VariantOutcome => ({
  variant,
  outcome: 'failed',
  run: {
    ...{ requests: 1, consulted: [], unscopedOperations: [], keys: [], ms: 1 },
    ...{ failure: 'the command fails', failedTests: null },
  },
})

/** Sweeps a client that breaks with these values of a policy. */
function depend(id: PolicyId, ...values: readonly string[]) {
  const variants = policyVariants([id], settings)
  const outcomes = values.map((value) =>
    failed(variants.find((variant) => variant.id === `${id}=${value}`) as Variant),
  )
  const [dependence] = findDependences(outcomes, settings)
  return toFinding(dependence as NonNullable<typeof dependence>, { command: 'npm test', flags: [] })
}

test('a dependence on what was seen is not contradicted by another value that was seen', () => {
  const { evidence, message } = depend('annotations.scope.values', 'july_2024')

  expect(evidence).toBe('observed')
  expect(message).toContain('(seen in the live service, not in the documentation)')
})

test('the cure fits the values', () => {
  const cures = [
    depend('annotations.delete.status', '404'),
    depend('projects.list.scope', 'project:read'),
    depend('projects.list.scope', 'project:read', 'refused'),
  ].map(({ cure }) => cure)

  expect(cures).toEqual([
    'Let the client accept both values.',
    'Give the key of the client this scope, too.',
    'Let the client work without this operation, because a key may be refused.',
  ])
})
