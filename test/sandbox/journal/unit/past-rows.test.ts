import { expect, test } from 'vitest'
import {
  latestWrites,
  loadedBefore,
  positionOf,
} from '../../../../src/sandbox/journal/past-request.ts'
import type { SimulatorOptions } from '../../../../src/sandbox/simulator-options.ts'
import { createSimulator } from '../../../../src/simulator.ts'
import { MemoryBudget } from '../../../../src/utils/bounded-queue.ts'
import { rowIdOf, type Tables, worldLists } from '../../../../src/world/table/tables.ts'
import { acme, annotationsPath, noon } from '../../../support/api/paths.ts'
import { initOf } from '../../../support/lanes/client.ts'

/** All rows by list and id. */
function rowsOf(tables: Tables): Record<string, object> {
  const entries = worldLists.flatMap((list) =>
    [...tables[list].values()].map((row) => [`${list} ${rowIdOf(list, row)}`, row] as const),
  )
  return Object.fromEntries(entries)
}

function startSandbox(options: SimulatorOptions = {}) {
  const simulator = createSimulator({ clock: noon, ...options })
  const { sandbox } = simulator
  const state = () => ({ rows: rowsOf(sandbox.tables), seed: sandbox.seed })
  const before: object[] = []
  const after: object[] = [state()]
  const send = async (method: string, path: string, body?: object) => {
    before.push(state())
    await simulator.fetch(path, initOf(method, { body }))
    after.push(state())
  }
  /** The rows before the request of each record. */
  const past = (withEdits?: boolean) =>
    sandbox.journal.records.map((record) => {
      const loaded = loadedBefore(positionOf(record, sandbox), sandbox, withEdits)
      return loaded && { rows: rowsOf(loaded.tables), seed: loaded.seed }
    })
  return { simulator, sandbox, send, past, before, after }
}

type Started = ReturnType<typeof startSandbox>

/** Requests and edits that write rows of several lists. */
async function write({ simulator, send }: Started): Promise<void> {
  const { annotations, organizations } = simulator.world
  await send('POST', annotationsPath, { content: 'One' })
  annotations.update(1, { content: 'Two' })
  annotations.delete(2)
  simulator.keys.issue({ value: 'phx_issued' })
  await send('PATCH', `${annotationsPath}1/`, { content: 'Three' })
  simulator.clock.advance({ minutes: 1 })
  await send('GET', annotationsPath)
  organizations.update(acme, { name: 'Renamed' })
  simulator.keys.revoke('phx_issued')
  annotations.create({ id: 2, content: 'Again' })
  await send('DELETE', `/api/organizations/${acme}/plugins/21/`)
  await send('GET', annotationsPath)
}

test('the rows before each request are those of that time, with the edits right before it or without', async () => {
  const started = startSandbox()
  await write(started)
  started.simulator.world.annotations.update(3, { content: 'Written since' })
  const present = rowsOf(started.sandbox.tables)

  expect(started.past()).toEqual(started.before)
  expect(started.past(true)).toEqual(started.before)
  expect(started.past(false)).toEqual(started.after.slice(0, -1))
  expect(rowsOf(started.sandbox.tables)).toEqual(present)
})

test('the rows before each request are known although all rows were replaced since, several times', async () => {
  const started = startSandbox()
  const { simulator, sandbox } = started
  await write(started)
  simulator.snapshots.save('written')
  simulator.reset()
  await write(started)
  simulator.replaceWorld('empty')
  await started.send('GET', annotationsPath)
  sandbox.restore({ ...sandbox.snapshot(), seed: 99 })
  await write(started)
  simulator.snapshots.restore('written')

  expect(started.past()).toEqual(started.before)
  expect(started.past(false)).toEqual(started.after.slice(0, -1))
  expect(started.before.map((state) => 'seed' in state && state.seed)).toContain(99)
})

test('a change of the clock between two replacements is no change of rows', async () => {
  const started = startSandbox()
  await started.send('POST', annotationsPath, {})
  started.simulator.reset()
  started.simulator.clock.advance({ minutes: 1 })
  await started.send('GET', annotationsPath)
  started.simulator.reset()

  expect(started.past()).toEqual(started.before)
})

test('rows are unknown once a write since them was evicted', async () => {
  const { simulator, sandbox, send, past, before } = startSandbox()
  const { annotations } = simulator.world
  await send('GET', annotationsPath)
  annotations.update(1, { content: 'Written since' })
  const known = past()
  sandbox.history.share(new MemoryBudget(20_000))
  for (let count = 0; count < 100; count++) annotations.update(1, { content: `${count}` })
  await send('GET', annotationsPath)
  const late = past()
  simulator.reset()

  expect(known).toEqual(before.slice(0, 1))
  expect(late).toEqual([null, before[1]])
  expect(sandbox.history.edits().at(-1)?.edit).toHaveProperty('tables')
  expect(past()).toEqual([null, null])
})

test('a request that is not stored has the position of the next one', async () => {
  const { sandbox, send } = startSandbox({ journal: { entries: 2 } })
  for (let count = 0; count < 3; count++) await send('GET', annotationsPath)
  const [two, three] = sandbox.journal.records
  const records = [two, three, { ...three }]
  await send('GET', annotationsPath)

  expect(records.map((record) => positionOf(record as never, sandbox))).toEqual([4, 2, 4])
})

test('the latest writes begin before a position, and end at the latest replacement', async () => {
  const { simulator, sandbox, send } = startSandbox()
  const { annotations } = simulator.world
  annotations.update(1, { content: 'Before the reset' })
  simulator.reset()
  await send('PATCH', `${annotationsPath}1/`, { content: 'By the first request' })
  simulator.clock.advance({ minutes: 1 })
  annotations.update(1, { content: 'By an edit' })
  await send('PATCH', `${annotationsPath}1/`, { content: 'By the second request' })

  const written = (position?: number) =>
    [...latestWrites(sandbox.history, position)].map(({ after }) => Object(after).content)

  expect([written(), written(2), written(1), written(0)]).toEqual([
    ['By the second request', 'By an edit', 'By the first request'],
    ['By the second request', 'By an edit', 'By the first request'],
    ['By an edit', 'By the first request'],
    [],
  ])
})
