import { expect, test } from 'vitest'
import { policyVariants } from '../../../../src/analysis/variants/variant.ts'
import { policyIds } from '../../../../src/policies/setting-ranges.ts'
import { resolvePolicies } from '../../../../src/policies/settings.ts'

test('a policy has a variant for each other value, in the order of the policies', () => {
  const settings = resolvePolicies('documented', { 'limits.body': 102_400 })

  const variants = policyVariants(
    ['methods.put', 'limits.body', 'annotations.delete.status'],
    settings,
  )

  const assumed = {
    evidence: 'assumed',
    source: 'never seen; a robust client tolerates it',
  }
  const id = 'annotations.delete.status'
  expect(variants).toEqual([
    {
      ...assumed,
      id: `${id}=403`,
      sentence: 'The same message, for any id.',
      policies: { [id]: '403' },
    },
    {
      ...assumed,
      id: `${id}=404`,
      sentence: 'The error of a missing annotation, for any id.',
      policies: { [id]: '404' },
    },
    {
      id: `${id}=405_empty`,
      sentence: 'No body and no content type, for any id.',
      evidence: 'observed',
      source: "seen in the live service's own tests",
      policies: { [id]: '405_empty' },
    },
    {
      id: 'methods.put=on',
      sentence: 'Yes, like PATCH.',
      evidence: 'observed',
      source: 'read in the source of the live service',
      policies: { 'methods.put': 'on' },
    },
    {
      id: 'limits.body=20971520',
      sentence: 'At most this number.',
      evidence: 'assumed',
      source: 'the live service configures 20 MB, but does not apply it to JSON',
      policies: { 'limits.body': 20_971_520 },
    },
  ])
})

test('of policies of whole numbers, some numbers are tried', () => {
  const numeric = policyVariants(policyIds, resolvePolicies('documented')).filter(
    ({ id }) => /=\d+$/.test(id) && !/status/.test(id),
  )

  expect(numeric.map(({ id }) => id)).toEqual([
    'annotations.list.limit.default=2',
    'annotations.list.limit.default=100',
    'plugins.list.limit.default=2',
    'projects.list.limit.default=2',
    'lists.limit.maximum=100',
    'lists.limit.maximum=1000',
    'limits.body=102400',
    'limits.body=20971520',
  ])
})
