import { expect, test } from 'vitest'
import { createSimulator } from '../../../src/simulator/simulator.ts'
import type { WorldJson } from '../../../src/world/world-json.ts'
import { noon } from '../../support/api/paths.ts'

interface Key {
  readonly value: string
  readonly label?: string
  readonly scopes?: readonly string[]
}

/** Loads keys into a sandbox whose keys are chosen. Lists its keys, and what it shows of them. */
function load(keys: readonly Key[], own: readonly Key[]) {
  const simulator = createSimulator({ clock: noon })
  const world = simulator.world.toJSON()
  const withKeys = (rows: readonly Key[]) =>
    ({ ...world, keys: rows.map((row) => ({ user: 1, scopes: ['*'], ...row })) }) as WorldJson
  simulator.sandboxes.addFixture('own', withKeys(own))
  const chosen = own.map(({ value, label = value }) => ({ label, value: `${value}_own` }))
  const { id } = simulator.sandboxes.create({ from: 'own', keys: chosen })

  const sandbox = simulator.sandboxes.get(id)
  sandbox?.replaceWorld(withKeys(keys))

  return {
    all: sandbox?.keys.list().map(({ value, label }) => [value, label]),
    shown: simulator.sandboxes.info(id)?.keys.map(({ value }) => value),
  }
}

const all = { value: 'phx_all', label: 'all' }
const generated = expect.stringMatching(/^phx_\w{40}$/)

test('a key of the simulator gets the twin of the same label and scopes', () => {
  expect(load([all], [{ value: 'phx_a', label: 'all' }])).toEqual({
    all: [
      ['phx_a_own', 'all'],
      ['phx_all', 'all'],
    ],
    shown: ['phx_a_own'],
  })
})

test('a key with another label or other scopes gets a new twin', () => {
  const others = [
    { value: 'phx_a', label: 'other' },
    { value: 'phx_b', label: 'all', scopes: ['annotation:read'] },
  ]

  expect(load([all], others)).toEqual({
    all: [
      [generated, 'all'],
      ['phx_all', 'all'],
    ],
    shown: [generated],
  })
})

test('each twin is used once', () => {
  const none = { value: 'phx_none', label: 'all' }

  expect(load([all, none], [{ value: 'phx_a', label: 'all' }])).toEqual({
    all: [
      ['phx_a_own', 'all'],
      ['phx_all', 'all'],
      [generated, 'all'],
      ['phx_none', 'all'],
    ],
    shown: ['phx_a_own', generated],
  })
})

test('a twin that the loaded world has already is not used', () => {
  const taken = { value: 'phx_a_own', label: 'mine' }

  expect(load([all, taken], [{ value: 'phx_a', label: 'all' }])).toEqual({
    all: [
      [generated, 'all'],
      ['phx_all', 'all'],
      ['phx_a_own', 'mine'],
    ],
    shown: [generated, 'phx_a_own'],
  })
})

test('a key without a label has its new value as label', () => {
  expect(load([{ value: 'phx_all' }], [{ value: 'phx_a', label: 'x' }]).all).toEqual([
    [generated, generated],
    ['phx_all', 'phx_all'],
  ])
})

test('keys that select no other world stay as they are', () => {
  const keys = [{ value: 'phx_x', label: 'x' }, { value: 'phx_y' }]

  expect(load(keys, [{ value: 'phx_a', label: 'x' }])).toEqual({
    all: [
      ['phx_x', 'x'],
      ['phx_y', 'phx_y'],
    ],
    shown: ['phx_x', 'phx_y'],
  })
})

test('a new twin differs from every key of the loaded world', () => {
  const own = [{ value: 'phx_a', label: 'other' }]
  const [twin = ''] = load([all], own).shown ?? []

  const { all: keys } = load([all, { value: twin, label: 'mine' }], own)

  expect(keys).toEqual([
    [generated, 'all'],
    ['phx_all', 'all'],
    [twin, 'mine'],
  ])
  expect(keys?.[0]?.[0]).not.toBe(twin)
})
