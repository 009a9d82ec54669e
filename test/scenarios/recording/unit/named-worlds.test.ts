import { expect, test } from 'vitest'
import { nameWorld, withoutKeyValues } from '../../../../src/scenarios/recording/starting-world.ts'
import type { WorldJson } from '../../../../src/world/world-json.ts'

const rest = { user: 1, scopes: null }

const worldWith = (...keys: readonly { readonly value: string; readonly label?: string }[]) => ({
  format_version: 1,
  seed: 1,
  issued_keys: 2,
  keys: keys.map((key) => ({ ...key, ...rest })),
})

const world: WorldJson = worldWith(
  { value: 'phx_first', label: 'reader' },
  { value: 'phx_second' },
  { value: 'phx_third', label: 'phx_third' },
)

test('keys have their labels and no values', () => {
  expect(withoutKeyValues(world)).toEqual({
    ...world,
    keys: [
      { value: 'key-1-of-a-world', label: 'reader', ...rest },
      { value: 'key-2-of-a-world', label: 'key-2-of-a-world', ...rest },
      { value: 'key-3-of-a-world', label: 'key-3-of-a-world', ...rest },
    ],
  })
  expect(withoutKeyValues({ format_version: 1 })).toEqual({ format_version: 1, keys: [] })
})

const others = [{ value: 'phx_fifth' }, { value: 'phx_sixth', label: 'phx_sixth' }]

test.each<readonly [string, object | null, WorldJson]>([
  ['the same rows', { world: 'mine' }, world],
  ['another seed', { world: 'mine', seed: 5 }, { ...world, seed: 5 }],
  ['another number of issued keys', { world: 'mine' }, { ...world, issued_keys: 3 }],
  [
    'other values of keys',
    { world: 'mine' },
    worldWith({ value: 'phx_fourth', label: 'reader' }, ...others),
  ],
  ['another label of a key', null, worldWith({ value: 'phx_first', label: 'writer' }, ...others)],
  ['another time', null, { ...world, now: '2024-06-15T12:00:00Z' }],
])('a world with %s compared with a fixture is named %j', (_, named, other) => {
  expect(nameWorld(other, 'mine', world)).toEqual(named)
})
