import { expect, test } from 'vitest'
import { asOfDates, asOfPolicies } from '../../../src/policies/as-of.ts'
import { policies } from '../../../src/policies/policies.ts'

test('a new month is one more value: the other policies keep their latest one', () => {
  const { versioning } = policies
  const winter = { meaning: 'More.', evidence: 'observed', source: 'x', since: '2025-01' } as const
  const autumn = { ...winter, since: '2023-10' }
  const values = { winter_2025: winter, ...versioning.values, autumn_2023: autumn }
  const table = { ...policies, versioning: { ...versioning, values } }

  expect(asOfDates(table)).toEqual(['2023-10', '2024-05', '2024-07', '2025-01'])
  expect(asOfPolicies('2023-10', table)).toEqual({ versioning: 'autumn_2023' })
  expect(asOfPolicies('2025-01', table)).toEqual({
    'annotations.scope.values': 'july_2024',
    'plugins.plugin_type.values': 'with_inline',
    versioning: 'winter_2025',
  })
  expect(asOfPolicies('2024-05', table)).toEqual(asOfPolicies('2024-05'))
})
