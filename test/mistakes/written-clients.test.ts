import { expect, test } from 'vitest'
import type { SimulatorOptions } from '../../src/index.ts'
import { badClients } from './bad-clients.table.ts'
import { goodClients } from './good-clients.table.ts'
import { mistakesOf, type WrittenCase } from './written-clients.ts'

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

test('among 1,010 rows, clients without a mistake have at most pages that they do not read', async () => {
  const deleteAll = /^(?:empties|reads everything|deletes in reverse)/
  const clients = goodClients.filter(({ name }) => !deleteAll.test(name))

  const alarms = await alarmsOf(clients, {}, 1_010)

  expect(alarms.filter((alarm) => !alarm.endsWith('unread-pages'))).toEqual([])
})

async function alarmsOf(
  clients: readonly WrittenCase[],
  options: SimulatorOptions,
  rows = 0,
): Promise<string[]> {
  const alarms: string[] = []
  for (const client of clients) {
    const mistakes = await mistakesOf(client, options, rows)
    alarms.push(...mistakes.map(({ rule }) => `${client.name}: ${rule}`))
  }
  return alarms
}
