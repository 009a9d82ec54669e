import { expect, test } from 'vitest'
import { badClients } from './bad-clients.table.ts'
import { goodClients } from './good-clients.table.ts'
import { alarmsOf, mistakesOf } from './written-clients.ts'

test.each(badClients)('a client that $name', async (client) => {
  const mistakes = await mistakesOf(client)

  expect(mistakes.map(({ rule }) => rule)).toEqual(client.finds ?? [])
})

test.each(goodClients)('no alarm of a client that $name', async (client) => {
  expect(await mistakesOf(client)).toEqual([])
})

/** The journal keeps a row, and no page of several. */
const withoutPages = { body: 1_000 }

test.each(badClients)(
  'what a page shows is known without its body: a client that $name',
  async (client) => {
    const mistakes = await mistakesOf(client, { journal: withoutPages })

    expect(mistakes.map(({ rule }) => rule)).toEqual(client.finds ?? [])
  },
)

test.each([
  ['50 entries', { entries: 50 }],
  ['3 entries', { entries: 3 }],
  ['no bodies', { body: 0 }],
])('no alarm of a client without a mistake with %s in the journal', async (_, journal) => {
  expect(await alarmsOf(goodClients, { journal })).toEqual([])
})
