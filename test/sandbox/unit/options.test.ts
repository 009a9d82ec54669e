import { expect, test } from 'vitest'
import odd from '../../../fixtures/odd.json' with { type: 'json' }
import type { SimulatorOptions } from '../../../src/sandbox/simulator-options.ts'
import { createSimulator } from '../../../src/simulator.ts'
import { UsageError } from '../../../src/utils/usage-error.ts'
import type { WorldJson } from '../../../src/world/world-json.ts'

const worldNames = 'expected default, empty or a world as JSON'
const someTime = 'expected an ISO 8601 time such as 2024-06-01T00:00:00Z'

const options =
  'The options are world, seed, profile, asOf, policies, clock, baseUrl, journal, sandboxes, neighbours, explain, onError.'

const invalidOptions: readonly [options: unknown, message: string][] = [
  [
    { profle: 'live' },
    'Failed to create a simulator: unknown option "profle". Did you mean "profile"?',
  ],
  [{ telescope: 1 }, `Failed to create a simulator: unknown option "telescope". ${options}`],
  [null, 'Failed to create a simulator: expected an object with options, got null.'],
  [
    { world: 'defualt' },
    `Failed to find the world: ${worldNames}, got "defualt". Did you mean default?`,
  ],
  [
    { world: 'odd' },
    `Failed to find the world: ${worldNames}, got "odd". Import odd from 'understudy-api/fixtures/odd.json' and pass it, or in Node pass await readWorld('odd'), with readWorld from 'understudy-api/node'.`,
  ],
  [
    { world: './world.json' },
    `Failed to find the world: ${worldNames}, got "./world.json". Read the file first: world: await readWorld('./world.json'), with readWorld from 'understudy-api/node'.`,
  ],
  [{ world: null }, `Failed to find the world: ${worldNames}, got null.`],
  [{ world: 5 }, `Failed to find the world: ${worldNames}, got 5.`],
  [
    { profile: 'lvie' },
    'Failed to choose a profile: expected one of documented, live, got "lvie". Did you mean live?',
  ],
  [{ profile: null }, 'Failed to choose a profile: expected one of documented, live, got null.'],
  [
    { policies: { 'annotations.delete.staus': 404 } },
    'Failed to set a policy: expected the id of a policy (npx understudy-api policies lists them), ' +
      'got "annotations.delete.staus". Did you mean annotations.delete.status?',
  ],
  [
    { policies: { 'annotations.delete.status': 200 } },
    'Failed to set annotations.delete.status: expected one of 403, 404, 405, 405_empty, got 200.',
  ],
  [
    { policies: { 'limits.body': 0 } },
    'Failed to set limits.body: expected a whole number from 1 to 536870888, got 0.',
  ],
  [
    { policies: { 'limits.body': '1e3' } },
    'Failed to set limits.body: expected a whole number from 1 to 536870888, got "1e3".',
  ],
  [
    { policies: null },
    'Failed to set policies: expected an object of settings by policy id, got null.',
  ],
  [{ policies: { __proto__: null, toString: 'x' } }, 'Failed to set a policy: expected the id of'],
  [{ seed: 'seven' }, 'Failed to read the seed: expected a whole number, got "seven".'],
  [{ explain: 'yes' }, 'Failed to explain responses: expected true or false, got "yes".'],
  [{ seed: 1.5 }, 'Failed to read the seed: expected a whole number, got 1.5.'],
  [{ clock: 'tomorrow' }, `Failed to set the clock: ${someTime}, got "tomorrow".`],
  [{ clock: new Date(Number.NaN) }, `Failed to set the clock: ${someTime}, got null.`],
  [
    { baseUrl: 'example.com' },
    'Failed to read the base URL: expected an http(s) origin, a path, both, or *, got "example.com".',
  ],
]

test.each(invalidOptions)('%j is rejected, and the message says what to do', (options, message) => {
  const create = () => createSimulator(options as SimulatorOptions)

  expect(create).toThrow(UsageError)
  expect(create).toThrow(message)
})

test('the types reject unknown options, profiles and settings', () => {
  // @ts-expect-error: the option is called world
  expect(() => createSimulator({ wrold: 'empty' })).toThrow('Did you mean "world"?')
  // @ts-expect-error: unknown profile
  expect(() => createSimulator({ profile: 'dead' })).toThrow(UsageError)
  // @ts-expect-error: unknown setting
  expect(() => createSimulator({ policies: { 'keys.places': 'cookie' } })).toThrow(UsageError)
})

test('a world with generate is rejected, and the message says how to fill it', () => {
  const world = { generate: { annotations: 10 } }

  expect(() => createSimulator({ world })).toThrow(
    'generate: the factories must complete this world first: ' +
      "createSimulator({ world: generate(world) }), with generate from 'understudy-api/factories'.",
  )
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
