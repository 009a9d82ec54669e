import { expect, test } from 'vitest'
import { ChangeHistory } from '../../../../src/sandbox/history/history.ts'
import { MemoryBudget } from '../../../../src/utils/bounded-queue.ts'
import type { ClockReading } from '../../../../src/world/clock/clock.ts'
import type { LoadedWorld } from '../../../../src/world/load/build-world.ts'
import { type Tables, worldLists } from '../../../../src/world/table/tables.ts'

/** A world with this many rows in each of its ten lists. */
function worldOf(size: number): LoadedWorld {
  const tables = Object.fromEntries(worldLists.map((list) => [list, { size }]))
  return { tables: tables as unknown as Tables, seed: 1, now: undefined }
}

const world = worldOf(1)
const frozen: ClockReading = { mode: 'frozen', now: '2024-06-15T12:00:00Z' } as ClockReading
const real: ClockReading = { mode: 'real', now: '2024-06-15T12:00:00Z' } as ClockReading
const row = { id: 1 }

/** A history at the journal position 5, and the budget that counts its memory. */
function createHistory({ isOff = false } = {}) {
  const journal = { position: 5, isOff }
  const history = new ChangeHistory(journal, world.tables)
  const budget = new MemoryBudget(1e9)
  history.share(budget)
  return { history, journal, budget }
}

/** Writes a row by a request, a second actor or an edit. */
function writeTimes(history: ChangeHistory, count: number, cause: ChangeHistory['cause']): void {
  history.cause = cause
  for (let index = 0; index < count; index++) history.recordWrite('users', row, row)
}

test('edits lists what no request changed, with the position of the next request and the order', () => {
  const { history, journal } = createHistory()
  history.recordSnapshot(world.tables)
  history.recordWrite('users', undefined, row)
  history.cause = { entry: 6 }
  history.recordWrite('users', row, undefined)
  history.cause = { actor: 'actor-1' }
  history.recordWrite('users', undefined, row)
  journal.position = 6
  history.recordClockChange(frozen, real)
  history.recordReplacement(world, [])
  history.recordReplacement(worldOf(2), [])

  const write = { list: 'users', before: undefined, after: row, bytes: 148 }
  const savedAt = { position: 5, order: 0 }
  expect(history.edits()).toEqual([
    { position: 5, order: 0, edit: { ...write, position: 5, cause: { edit: 'world' } } },
    { position: 6, order: 2, edit: { ...write, position: 6, cause: { actor: 'actor-1' } } },
    { position: 6, order: 3, edit: { position: 6, from: frozen, to: real } },
    { position: 6, order: 4, edit: { position: 6, tables: world.tables, savedAt, world } },
    {
      position: 6,
      order: 5,
      edit: { position: 6, tables: worldOf(2).tables, savedAt: null, world: worldOf(2) },
    },
  ])
  expect(history.count).toBe(6)
})

test('writesSince returns the writes after a number of changes', () => {
  const { history } = createHistory()
  history.recordWrite('users', undefined, row)
  history.recordClockChange(frozen, real)
  history.recordWrite('users', row, undefined)

  const kinds = (count: number) =>
    history.writesSince(count).map(({ before, after }) => [before, after])

  expect([0, 1, 2, 3].map(kinds)).toEqual([
    [
      [undefined, row],
      [row, undefined],
    ],
    [[row, undefined]],
    [[row, undefined]],
    [],
  ])
})

test.each([
  ['a new row', undefined, row, 148],
  ['a removed row', row, undefined, 148],
  ['an equal row', row, { ...row }, 116],
  ['a changed field', { id: 1, name: 'ab' }, { id: 1, name: 'abc' }, 169],
  ['a new field', { id: 1 }, { id: 1, name: 'abc' }, 159],
  ['two changed fields', { id: 1, name: 'ab' }, { id: 2, name: null }, 174],
])(
  'the memory of a write counts what the rows do not share: %s',
  (_title, before, after, bytes) => {
    const { history, budget } = createHistory()

    history.recordWrite('users', before, after)

    expect([budget.used, history.writesSince(0)[0]?.bytes]).toEqual([bytes, bytes])
  },
)

test.each([
  [1, 2_100, true],
  [2_097, 4_194_100, true],
  [2_098, 100, false],
])('a replaced world with 10 × %i rows takes %i bytes', (size, bytes, isStored) => {
  const { history, budget } = createHistory()
  const replaced = worldOf(size)

  history.recordReplacement(replaced, [])

  expect(budget.used).toBe(bytes)
  expect(history.edits().map(({ edit }) => 'world' in edit && edit.world)).toEqual([
    isStored ? replaced : null,
  ])
})

test('without a journal, a replacement forgets all changes, and changes of the clock are not stored', () => {
  const { history, budget } = createHistory({ isOff: true })
  history.recordWrite('users', undefined, row)
  history.recordClockChange(frozen, real)
  const before = [history.count, budget.used]

  history.recordReplacement(worldOf(1), [{ value: 'phx_a', label: 'a' } as never])

  expect(before).toEqual([1, 148])
  expect([history.count, budget.used, history.evictedEdits]).toEqual([1, 0, 0])
  expect([history.edits(), history.isTruncated]).toEqual([[], false])
  expect([...history.keys]).toEqual([['phx_a', 'a']])
})

test('a history is truncated once a change since the last replacement was evicted', () => {
  const { history } = createHistory()
  const states: boolean[] = []

  for (const count of [10_000, 1]) {
    writeTimes(history, count, { entry: 1 })
    states.push(history.isTruncated)
  }
  history.recordReplacement(world, [])
  states.push(history.isTruncated)
  for (const count of [10_000, 1]) {
    writeTimes(history, count, { entry: 1 })
    states.push(history.isTruncated)
  }
  history.restart(world.tables)

  expect([...states, history.isTruncated]).toEqual([false, true, false, false, true, false])
})

test('evicted edits are counted, without the writes of requests', () => {
  const { history } = createHistory()
  const counts: number[] = []
  writeTimes(history, 2, { edit: 'world' })
  writeTimes(history, 1, { actor: 'actor-1' })
  history.recordClockChange(frozen, real)
  history.recordReplacement(world, [])

  for (const count of [9_995, 1, 2, 1, 1, 1]) {
    writeTimes(history, count, { entry: 1 })
    counts.push(history.evictedEdits)
  }
  history.restart(world.tables)

  expect(counts).toEqual([0, 1, 3, 4, 5, 5])
  expect(history.evictedEdits).toBe(0)
})

test('restart replaces the initial rows, and close leaves the shared budget', () => {
  const { history, budget } = createHistory()
  const { tables } = worldOf(3)
  history.recordWrite('users', undefined, row)

  history.restart(tables)
  history.recordWrite('users', row, undefined)
  const open = [history.initialTables === tables, history.edits().length, budget]
  expect(open).toMatchObject([true, 1, { used: 148, holders: 1 }])
  history.close()

  expect([history.edits(), budget]).toMatchObject([[], { used: 0, holders: 0 }])
})

test('the labels of the latest 1,000 keys are remembered, each under another version', () => {
  const { history } = createHistory()
  const { keys } = history
  const versions = [keys.version]
  const add = (value: string, label: string) => {
    keys.add({ value, label })
    versions.push(keys.version)
  }

  history.recordWrite('keys', { value: 'phx_0', label: 'old' }, { value: 'phx_1', label: 'new' })
  history.recordWrite('users', { value: 'phx_2', label: 'no key' }, undefined)
  for (let count = 0; count < 997; count++) add(`phx_many_${count}`, 'many')
  add('phx_0', 'again')
  add('phx_last', 'last')
  const full = [...keys]
  add('phx_too_many', 'too many')

  expect(new Set(versions).size).toBe(1_001)
  expect([full.length, full[0], ...full.slice(-2)]).toEqual([
    1_000,
    ['phx_1', 'new'],
    ['phx_0', 'again'],
    ['phx_last', 'last'],
  ])
  expect([[...keys].length, [...keys][0]]).toEqual([1_000, ['phx_many_0', 'many']])
})

test('a key that is added again and again takes the place of no other key', () => {
  const { keys } = createHistory().history
  keys.add({ value: 'phx_first', label: 'first' })

  for (let count = 0; count < 5_000; count++) keys.add({ value: 'phx_same', label: `${count}` })

  expect([...keys]).toEqual([
    ['phx_first', 'first'],
    ['phx_same', '4999'],
  ])
})
