import { expect, test } from 'vitest'
import { overridePolicies, resolvePolicies } from '../../../../src/policies/settings.ts'
import { nearestProfile, toPolicyStep } from '../../../../src/scenarios/recording/change-steps.ts'

const [documented, live] = [resolvePolicies('documented'), resolvePolicies('live')]
const override = { 'limits.rate': 'observed', 'limits.body': 5 } as const

test('policies are described by the profile with the fewest differences', () => {
  expect(nearestProfile(documented)).toEqual({ profile: 'documented' })
  expect(nearestProfile(live)).toEqual({ profile: 'live' })
  for (const [profile, settings] of [
    ['documented', documented],
    ['live', live],
  ] as const) {
    expect(nearestProfile(overridePolicies(settings, override))).toEqual({
      profile,
      policies: override,
    })
  }
})

test('a step sets the policies that changed between two requests', () => {
  const changed = overridePolicies(documented, override)

  expect(toPolicyStep(documented, changed)).toEqual({ policies: override })
  expect(toPolicyStep(changed, documented)).toEqual({
    policies: { 'limits.rate': 'off', 'limits.body': documented['limits.body'] },
  })
  expect(toPolicyStep(documented, documented)).toBeNull()
  expect(toPolicyStep(documented, { ...documented })).toBeNull()
})
