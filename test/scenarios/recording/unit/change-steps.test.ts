import { expect, test } from 'vitest'
import { overridePolicies, resolvePolicies } from '../../../../src/policies/settings.ts'
import type { RenderedEntry } from '../../../../src/sandbox/journal/renderer.ts'
import {
  nearestProfile,
  toFaultStep,
  toPolicyStep,
} from '../../../../src/scenarios/recording/change-steps.ts'

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

const faultStepOf = (fault: unknown) =>
  toFaultStep({ entry: { id: 7, fault } } as unknown as RenderedEntry)

test('a step repeats the fault of a request once, unless it is a stale read', () => {
  const faults = [
    null,
    { id: 'fault-1', phase: 'before', effect: { stale: { writes: 1 } } },
    { id: 'fault-1', phase: 'mid-body', effect: { drop: true, delay_ms: 5 } },
  ]

  expect(faults.map(faultStepOf)).toEqual([
    null,
    null,
    { fault: { when: { times: 1 }, phase: 'mid-body', effect: { drop: true, delay_ms: 5 } } },
  ])
})

test('a warning reports a fault that no step can contain', () => {
  expect(faultStepOf({ id: 'fault-1', phase: 'before', effect: { delay_ms: -1 } })).toEqual({
    warning: expect.stringMatching(
      /^The recording leaves out the fault of entry 7: Failed to add a fault\..*delay_ms/s,
    ),
  })
})

test('any other error of a fault is thrown', () => {
  const effect = {
    get drop(): never {
      throw new Error('No such field.')
    },
  }

  expect(() => faultStepOf({ id: 'fault-1', phase: 'before', effect })).toThrow('No such field.')
})
