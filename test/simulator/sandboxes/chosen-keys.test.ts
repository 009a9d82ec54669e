import { expect, test } from 'vitest'
import { createSimulator } from '../../../src/simulator/simulator.ts'
import type { WorldJson } from '../../../src/world/world-json.ts'
import { acme, noon } from '../../support/api/paths.ts'

const all = { value: 'phx_a', user: 1, label: 'all', scopes: ['*'] }
const reads = { value: 'phx_b', user: 1, scopes: ['annotation:read'] }
const writes = { value: 'phx_c', user: 1, label: 'writes', scopes: ['annotation:write'] }

const choice = (label: string, value: string) => ({ label, value })
const labelOf = (row: object = {}) => String({ label: 'phx_a', ...row }.label)

/** Creates a sandbox in a simulator with these keys. A sandbox beside it has the key `phx_taken`. */
function create(requested?: object, rows: readonly object[] = [all, reads, writes]) {
  const world = { ...createSimulator({ clock: noon }).world.toJSON(), keys: rows } as WorldJson
  const { sandboxes } = createSimulator({ clock: noon, world })
  sandboxes.create({
    keys: rows.length === 0 ? [] : [{ label: labelOf(rows[0]), value: 'phx_taken' }],
  })
  return sandboxes.create({ ...(requested && { keys: requested }) } as never)
}

type Key = { readonly value: string; readonly label?: string | null; readonly scopes?: unknown }

/** The values and labels of keys. `new` is a value that was generated, also as the label of its key. */
const show = (keys: readonly Key[] = []): string => {
  const nameOf = (text: unknown) => String(text).replace(/^phx_\w{40}$/, 'new')
  return keys
    .map(({ value, label }) => `${nameOf(value)}: ${label === value ? 'itself' : label}`)
    .join(', ')
}

test.each([
  [undefined, 'new: all, new: itself, new: writes'],
  [[choice('all', 'phx_1')], 'phx_1: all, new: itself, new: writes'],
  [[choice('writes', 'phx_2'), choice('phx_b', 'phx_1')], 'new: all, phx_1: itself, phx_2: writes'],
])('with the keys %j, a sandbox has the values and labels %s', (requested, shown) => {
  const { keys } = create(requested)

  expect(show(keys)).toBe(shown)
  expect(new Set(keys.map(({ value }) => value)).size).toBe(3)
  expect(keys.map(({ scopes }) => scopes)).toEqual([['*'], reads.scopes, writes.scopes])
})

const limited = { ...all, projects: [1] }
const unlimited: readonly [what: string, rows: readonly object[], index: number][] = [
  ['the only key', [all], 0],
  ['the first of two', [{ ...all, value: 'phx_d' }, all], 0],
  [
    'a key after limited ones',
    [limited, { ...all, organizations: [acme], value: 'phx_d' }, { ...all, value: 'phx_e' }],
    2,
  ],
  ['else the first, with few scopes', [{ ...reads, value: 'phx_a' }], 0],
  ['else the first, with one project', [limited], 0],
  ['empty without keys', [], 0],
]

test.each(unlimited)('the key of a sandbox is %s', (_, rows, index) => {
  const { key, keys } = create(undefined, rows)

  expect(key).toBe(keys[index]?.value ?? '')
  expect(keys).toHaveLength(rows.length)
})

test.each([
  [
    { all: 'phx_1' },
    'create a sandbox: keys: expected a list of { label, value }, got {"all":"phx_1"}.',
  ],
  [[{ label: 'all' }], 'create a sandbox: keys[0].value: expected string, got nothing.'],
  [
    [choice('all', 'x')],
    'create a sandbox: keys[0].value: expected at least two characters, without surrounding white space, got "x".',
  ],
  [
    [choice('al', 'phx_1')],
    'choose a key.\n  keys[0].label: expected the label of a key without a choice ("all", "phx_b", "writes"), got "al". Did you mean "all"?',
  ],
  [
    [choice('all', 'phx_taken')],
    'choose a key.\n  keys[0].value: the simulator or a sandbox already has a key with the value "phx_taken". Choose another value.',
  ],
  [
    [choice('all', 'phx_c')],
    'choose a key.\n  keys[0].value: the simulator or a sandbox already has a key with the value "phx_c". Choose another value.',
  ],
  [
    [choice('all', 'phx_1'), choice('all', 'phx_2')],
    'choose a key.\n  keys[1].label: expected the label of a key without a choice ("phx_b", "writes"), got "all".',
  ],
])('the keys %j are refused', (requested, message) => {
  expect(() => create(requested)).toThrow(`Failed to ${message}`)
})

test('of two keys with one label, each can be chosen', () => {
  const rows = [all, { ...writes, label: 'all' }]

  const { keys } = create([choice('all', 'phx_1'), choice('all', 'phx_2')], rows)

  expect(keys.map(({ value }) => value)).toEqual(['phx_1', 'phx_2'])
})

/** Loads keys into a sandbox whose keys, those of `own`, are chosen. Returns its keys, and those that it shows. */
function load(keys: readonly Key[], own: readonly Key[]) {
  const simulator = createSimulator({ clock: noon })
  const world = simulator.world.toJSON()
  const withKeys = (rows: readonly Key[]) =>
    ({ ...world, keys: rows.map((row) => ({ user: 1, scopes: ['*'], ...row })) }) as WorldJson
  simulator.sandboxes.addFixture('own', withKeys(own))
  const chosen = own.map(({ value, label }) => ({ label: label ?? value, value: `${value}_own` }))
  const { id } = simulator.sandboxes.create({ from: 'own', keys: chosen })
  const sandbox = simulator.sandboxes.get(id)

  sandbox?.replaceWorld(withKeys(keys))

  return { all: sandbox?.keys.list(), shown: simulator.sandboxes.info(id)?.keys }
}

const key = { value: 'phx_all', label: 'all' }
const own = { value: 'phx_a', label: 'all' }

/** A key that the simulator has gets a twin beside it, since the key selects the simulator. */
test.each<[twin: string, keys: Key[], own: Key[], all: string, shown: string]>([
  ['of the same label and scopes', [key], [own], 'phx_a_own: all, phx_all: all', 'phx_a_own: all'],
  [
    'that is new, for another label or other scopes',
    [key],
    [
      { ...own, label: 'other' },
      { value: 'phx_b', label: 'all', scopes: ['annotation:read'] },
    ],
    'new: all, phx_all: all',
    'new: all',
  ],
  [
    'that no other key has',
    [key, { value: 'phx_none', label: 'all' }],
    [own],
    'phx_a_own: all, phx_all: all, new: all, phx_none: all',
    'phx_a_own: all, new: all',
  ],
  [
    'that the loaded world does not have',
    [key, { value: 'phx_a_own', label: 'mine' }],
    [own],
    'new: all, phx_all: all, phx_a_own: mine',
    'new: all, phx_a_own: mine',
  ],
  [
    'with its value as label',
    [{ value: 'phx_all' }],
    [{ ...own, label: 'x' }],
    'new: itself, phx_all: itself',
    'new: itself',
  ],
  [
    'only if it selects another world',
    [{ value: 'phx_x', label: 'x' }, { value: 'phx_y' }],
    [{ ...own, label: 'x' }],
    'phx_x: x, phx_y: itself',
    'phx_x: x, phx_y: itself',
  ],
])('a key that is loaded into a sandbox gets a twin %s', (_, keys, own, all, shown) => {
  const loaded = load(keys, own)

  expect([show(loaded.all), show(loaded.shown)]).toEqual([all, shown])
})

test('a new twin differs from every key of the loaded world', () => {
  const others = [{ ...own, label: 'other' }]
  const [twin] = load([key], others).shown ?? []
  const mine = { value: twin?.value ?? '', label: 'mine' }

  const { all } = load([key, mine], others)

  expect(show(all)).toBe('new: all, phx_all: all, new: mine')
  expect(all?.[0]?.value).not.toBe(mine.value)
})
