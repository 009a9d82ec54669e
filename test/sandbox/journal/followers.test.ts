import { expect, test, vi } from 'vitest'
import type { JournalEntry } from '../../../src/sandbox/journal/entry.ts'
import { KeyedTable } from '../../../src/world/table/keyed-table.ts'
import { start } from '../../support/lanes/start.ts'

const list = '/api/projects/1/annotations/'

test('keys are gathered once for all who follow and read events, not for each entry', async () => {
  const { ask, simulator } = await start()
  const told: JournalEntry[] = []
  for (let count = 0; count < 5; count++) simulator.journal.follow((entry) => told.push(entry))
  const reader = simulator.journal.events()[Symbol.asyncIterator]()
  await reader.next()
  const gathered = vi.spyOn(KeyedTable.prototype, 'values')

  for (let count = 0; count < 5; count++) await ask('GET', `${list}1/`)

  for (let count = 0; count < 5; count++) await reader.next()
  await reader.return?.()
  const times = gathered.mock.calls.length
  gathered.mockRestore()
  expect([told.length, times]).toEqual([25, 1])
})

test('who follows is told by the keys as they are at the moment', async () => {
  const { ask, simulator } = await start()
  const told: unknown[] = []
  const stop = simulator.journal.follow(({ path, key }) => told.push([path, key?.label]))
  const [value, later] = ['issued-while-followed', 'issued-in-the-next-world']

  await ask('GET', `/api/${value}/`)
  simulator.keys.issue({ value, label: 'late' })
  await ask('GET', `/api/${value}/`, { key: value })
  simulator.keys.revoke(value)
  await ask('GET', `/api/${value}/`, { key: value })
  simulator.reset()
  await ask('GET', `/api/${value}/`, { key: value })
  simulator.keys.issue({ value: later, label: 'later' })
  simulator.replaceWorld('empty')
  await ask('GET', `/api/${later}/`, { key: later })
  stop()

  expect(told).toEqual([
    [`/api/${value}/`, 'all'],
    ['/api/issu…owed/', 'late'],
    ['/api/issu…owed/', 'late'],
    ['/api/issu…owed/', 'late'],
    ['/api/issu…orld/', 'later'],
  ])
})
