import { expect, test } from 'vitest'
import { badClients } from './bad-clients.table.ts'
import { goodClients } from './good-clients.table.ts'
import { alarmsOf, rulesOf } from './written-clients.ts'

const bad = Object.entries(badClients).flatMap(([rules, clients]) =>
  Object.entries(clients).map(([name, run]) => ({
    ...{ name, run },
    finds: rules === 'none' ? [] : rules.split(', '),
  })),
)

test.each(bad)('a client that $name', async ({ run, finds }) => {
  expect(await rulesOf(run)).toEqual(finds)
})

test.each(bad)(
  'what a page shows is known without its body: a client that $name',
  async ({ run, finds }) => {
    // The journal keeps a row, and no page of several.
    expect(await rulesOf(run, { journal: { body: 1_000 } })).toEqual(finds)
  },
)

test.each(Object.entries(goodClients))('no alarm of a client that %s', async (_, run) => {
  expect(await rulesOf(run)).toEqual([])
})

test.each([
  ['50 entries', { entries: 50 }],
  ['3 entries', { entries: 3 }],
  ['no bodies', { body: 0 }],
])('no alarm of a client without a mistake with %s in the journal', async (_, journal) => {
  expect(await alarmsOf(goodClients, { journal })).toEqual([])
})
