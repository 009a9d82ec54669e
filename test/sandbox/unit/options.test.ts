import { expect, test } from 'vitest'
import odd from '../../../fixtures/odd.json' with { type: 'json' }
import { createSimulator } from '../../../src/simulator.ts'
import { UsageError } from '../../../src/utils/usage-error.ts'
import type { WorldJson } from '../../../src/world/world-json.ts'

test('the types reject unknown options, profiles and settings', () => {
  // @ts-expect-error: the option is called world
  expect(() => createSimulator({ wrold: 'empty' })).toThrow('Did you mean "world"?')
  // @ts-expect-error: unknown profile
  expect(() => createSimulator({ profile: 'dead' })).toThrow(UsageError)
  // @ts-expect-error: unknown setting
  expect(() => createSimulator({ policies: { 'keys.places': 'cookie' } })).toThrow(UsageError)
})

test('createSimulator does not change a world that it is passed', () => {
  const before = JSON.stringify(odd)
  const world = odd as unknown as WorldJson

  const simulator = createSimulator({ world })
  simulator.world.plugins.update(4, { name: 'Changed' })
  simulator.world.users.update(3, { hedgehog_config: { changed: true } })

  expect(simulator.world.annotations.count).toBe(odd.annotations.length)
  expect(JSON.stringify(odd)).toBe(before)
})

test('changing a world after createSimulator does not change the simulator', () => {
  const world = structuredClone(odd) as unknown as WorldJson
  const simulator = createSimulator({ world })
  const before = JSON.stringify(simulator.world.toJSON())

  for (const plugin of world.plugins ?? []) Object.assign(plugin, { config_schema: 'gone' })
  for (const key of world.keys ?? []) Object.assign(key.projects ?? [], [999])

  expect(JSON.stringify(simulator.world.toJSON())).toBe(before)
})

test('a numeric setting can be a number or text', () => {
  const { policies } = createSimulator({
    policies: {
      'annotations.delete.status': 403,
      'limits.body': '4096',
      'keys.missing.status': 403,
    },
  })

  expect(policies.get('annotations.delete.status')).toBe('403')
  expect(policies.get('limits.body')).toBe(4096)
  expect(policies.get('keys.missing.status')).toBe('403')
})

test('the default profile is documented, and live differs', () => {
  const documented = createSimulator().policies.settings
  const live = createSimulator({ profile: 'live' }).policies.settings

  expect(documented).toEqual(createSimulator({ profile: 'documented' }).policies.settings)
  expect(documented['methods.put']).toBe('off')
  expect(live['methods.put']).toBe('on')
})
