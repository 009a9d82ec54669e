import { expect, test } from 'vitest'
import { createSimulator } from '../../../src/simulator/simulator.ts'
import type { WorldJson } from '../../../src/world/world-json.ts'
import { acme, noon } from '../../support/api/paths.ts'

const all = { value: 'phx_a', user: 1, label: 'all', scopes: ['*'] }
const reads = { value: 'phx_b', user: 1, scopes: ['annotation:read'] }
const writes = { value: 'phx_c', user: 1, label: 'writes', scopes: ['annotation:write'] }

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

const generated = expect.stringMatching(/^phx_\w{40}$/)

const choices: readonly [requested: object | undefined, keys: readonly unknown[]][] = [
  [
    undefined,
    [
      [generated, 'all'],
      [generated, generated],
      [generated, 'writes'],
    ],
  ],
  [
    [{ label: 'all', value: 'phx_1' }],
    [
      ['phx_1', 'all'],
      [generated, generated],
      [generated, 'writes'],
    ],
  ],
  [
    [
      { label: 'writes', value: 'phx_2' },
      { label: 'phx_b', value: 'phx_1' },
    ],
    [
      [generated, 'all'],
      ['phx_1', 'phx_1'],
      ['phx_2', 'writes'],
    ],
  ],
]

test.each(choices)(
  'with the keys %j, a sandbox has the values and labels %j',
  (requested, keys) => {
    const { keys: created } = create(requested)

    expect(created.map(({ value, label }) => [value, label])).toEqual(keys)
    expect(new Set(created.map(({ value }) => value)).size).toBe(3)
    expect(created.map(({ scopes }) => scopes)).toEqual([['*'], reads.scopes, writes.scopes])
  },
)

const limited = { ...all, projects: [1] }
const unlimited: readonly [what: string, rows: readonly object[], index: number | null][] = [
  ['the only key', [all], 0],
  ['the first of two', [{ ...all, value: 'phx_d' }, all], 0],
  [
    'a key after limited ones',
    [limited, { ...all, organizations: [acme], value: 'phx_d' }, { ...all, value: 'phx_e' }],
    2,
  ],
  ['no key with few scopes', [{ ...reads, value: 'phx_a' }], null],
  ['no key with one project', [limited], null],
  ['no key of none', [], null],
]

test.each(unlimited)('the key of a sandbox is %s', (_, rows, index) => {
  const { key, keys } = create(undefined, rows)

  expect(key).toBe(index === null ? null : keys[index]?.value)
  expect(keys).toHaveLength(rows.length)
})

test.each([
  [
    { all: 'phx_1' },
    'create a sandbox.\n  keys: expected a list of { label, value }, got {"all":"phx_1"}',
  ],
  [[{ label: 'all' }], 'create a sandbox.\n  keys[0].value: expected string, got nothing'],
  [
    [{ label: 'all', value: 'x' }],
    'create a sandbox.\n  keys[0].value: expected at least two characters, without surrounding white space, got "x"',
  ],
  [
    [{ label: 'al', value: 'phx_1' }],
    'choose a key: expected the label of a key without a choice ("all", "phx_b", "writes"), got "al". Did you mean all?',
  ],
  [
    [{ label: 'all', value: 'phx_taken' }],
    'choose a key: the simulator or a sandbox already has a key with the value "phx_taken". Choose another value.',
  ],
  [
    [{ label: 'all', value: 'phx_c' }],
    'choose a key: the simulator or a sandbox already has a key with the value "phx_c". Choose another value.',
  ],
  [
    [
      { label: 'all', value: 'phx_1' },
      { label: 'all', value: 'phx_2' },
    ],
    'choose a key: expected the label of a key without a choice ("phx_b", "writes"), got "all".',
  ],
])('the keys %j are refused', (requested, message) => {
  expect(() => create(requested)).toThrow(`Failed to ${message}`)
})

test('of two keys with one label, each can be chosen', () => {
  const rows = [all, { ...writes, label: 'all' }]

  const { keys } = create(
    [
      { label: 'all', value: 'phx_1' },
      { label: 'all', value: 'phx_2' },
    ],
    rows,
  )

  expect(keys.map(({ value }) => value)).toEqual(['phx_1', 'phx_2'])
})
