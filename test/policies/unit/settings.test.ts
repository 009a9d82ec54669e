import { expect, test } from 'vitest'
import { policies as all } from '../../../src/policies/policies.ts'
import { policyIds } from '../../../src/policies/setting-ranges.ts'
import { type PolicyOverrides, resolvePolicies } from '../../../src/policies/settings.ts'
import { createSimulator } from '../../../src/simulator.ts'
import { UsageError } from '../../../src/utils/usage-error.ts'
import { authorization } from '../../support/api/headers.ts'

test('every policy has the setting of its profile', () => {
  for (const profile of ['documented', 'live'] as const) {
    const { policies } = createSimulator({ profile })
    for (const id of policyIds) expect(policies.get(id), id).toBe(all[id][profile])
    expect(Object.keys(policies.settings)).toEqual(policyIds)
  }
})

test('a setting applies from the next request on, and does not change others', async () => {
  const simulator = createSimulator()
  const { policies } = simulator
  const before = policies.settings
  const remove = async () => {
    const headers = authorization()
    return simulator.fetch('/api/projects/1/annotations/1/', { method: 'DELETE', headers })
  }

  const first = await remove()
  policies.set({ 'annotations.delete.status': 403 })
  const second = await remove()

  expect([first.status, second.status]).toEqual([405, 403])
  expect(policies.settings).toEqual({ ...before, 'annotations.delete.status': '403' })
  expect(before['annotations.delete.status']).toBe('405')
})

test('several settings are applied together or not at all', () => {
  const { policies } = createSimulator()
  const before = { ...policies.settings }
  const attempts = [
    { 'annotations.delete.status': 403, 'keys.places': 'cookie' },
    { 'limits.body': 4096, nothing: 'x' },
    { 'methods.put': 'on', 'limits.body': -1 },
    { 'methods.put': 'on', 'limits.body': 1.5 },
    { 'methods.put': 'on', 'lists.limit.maximum': null },
  ] as unknown as PolicyOverrides[]

  for (const attempt of attempts) {
    expect(() => policies.set(attempt)).toThrow(UsageError)
    expect(policies.settings).toEqual(before)
  }
  expect(() => policies.set(undefined as unknown as PolicyOverrides)).toThrow(
    'Failed to set policies: expected an object of settings by policy id, got nothing.',
  )
})

test('a message lists the allowed values, and suggests the one that was probably meant', () => {
  const { policies } = createSimulator()

  expect(() => policies.set({ 'keys.places': 'headers' as 'header' })).toThrow(
    /^Failed to set keys\.places: expected one of header, .*, got "headers"\. Did you mean header\?$/,
  )
  expect(() => policies.set({ 'key.places': 'header' } as PolicyOverrides)).toThrow(
    /got "key\.places"\. Did you mean keys\.places\?$/,
  )
})

test('undefined leaves a setting unchanged', () => {
  const { policies } = createSimulator({ policies: { 'methods.put': 'on' } })

  policies.set({ 'methods.put': undefined, 'paths.current': 'on' } as unknown as PolicyOverrides)

  expect([policies.get('methods.put'), policies.get('paths.current')]).toEqual(['on', 'on'])
})

test('a message names the field, the allowed values and the wrong one', () => {
  const { policies } = createSimulator()
  const errorOf = (run: () => unknown) => {
    try {
      return run()
    } catch (error) {
      const { message, field } = error as UsageError
      return [message, field]
    }
  }
  const set = (overrides: unknown) => errorOf(() => policies.set(overrides as PolicyOverrides))
  const size = 'expected a whole number from 1 to 536870888'
  const object = 'Failed to set policies: expected an object of settings by policy id'

  expect(errorOf(() => resolvePolicies('lively'))).toEqual([
    'Failed to choose a profile: expected one of documented, live, got "lively". Did you mean live?',
    'profile',
  ])
  expect(set(null)).toEqual([`${object}, got null.`, null])
  expect(set('live')).toEqual([`${object}, got "live".`, null])
  expect(set({ cookies: 'on' })).toEqual([
    'Failed to set a policy: expected the id of a policy (npx understudy-api policies lists them), got "cookies".',
    'cookies',
  ])
  expect(set({ toString: 'on' })).toMatchObject([expect.stringContaining('a policy'), 'toString'])
  expect(set({ 'methods.put': 'maybe' })).toEqual([
    'Failed to set methods.put: expected one of off, on, got "maybe".',
    'methods.put',
  ])
  expect(set({ 'methods.put': ['on'] })).toEqual([
    'Failed to set methods.put: expected one of off, on, got ["on"].',
    'methods.put',
  ])
  expect(set({ 'methods.put': 'toString' })).toMatchObject([expect.any(String), 'methods.put'])
  for (const value of [
    0,
    536_870_913,
    1.5,
    Number.NaN,
    '',
    'x1',
    '1x',
    '-1',
    '1.5',
    '0x10',
    ' 5',
    [10],
    null,
  ]) {
    const shown = Number.isNaN(value) ? 'null' : JSON.stringify(value)
    expect(set({ 'limits.body': value })).toEqual([
      `Failed to set limits.body: ${size}, got ${shown}.`,
      'limits.body',
    ])
  }
})

test('a number can be set as a number or as a text, up to its bounds', () => {
  const { policies } = createSimulator()
  const settings = [1, 536_870_888, '4096', '536870888'].map((value) => {
    policies.set({ 'limits.body': value as number })
    return policies.get('limits.body')
  })
  policies.set({ 'annotations.delete.status': 404 })

  expect(settings).toEqual([1, 536_870_888, 4096, 536_870_888])
  expect(policies.get('annotations.delete.status')).toBe('404')
})

test('the list has every policy with its setting, its profiles and its values', () => {
  const { policies } = createSimulator({ profile: 'live', policies: { 'methods.put': 'off' } })

  expect(policies.list().map(({ id }) => id)).toEqual(policyIds)
  expect(policies.list().find(({ id }) => id === 'methods.put')).toEqual({
    id: 'methods.put',
    documentation: 'The documentation lists no PUT.',
    question: 'Do PUT …/plugins/:id and PUT …/annotations/:id work?',
    setting: 'off',
    documented: 'off',
    live: 'on',
    values: [
      {
        value: 'off',
        meaning: 'No, they return 405.',
        evidence: 'documented',
        source: 'the documentation lists no PUT',
      },
      {
        value: 'on',
        meaning: 'Yes, like PATCH.',
        evidence: 'observed',
        source: 'read in the source of the live service',
      },
    ],
  })
})
