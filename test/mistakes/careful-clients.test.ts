import { expect, test } from 'vitest'
import type { SettingOverrides } from '../../src/settings/resolve.ts'
import { annotationsPath } from '../support/api/paths.ts'
import type { Reply } from '../support/lanes/client.ts'
import { type Started, start } from '../support/lanes/start.ts'
import { repeat, walk, writeByAnother } from './rule-example.ts'

const first = `${annotationsPath}1/`
const two = `${annotationsPath}?limit=2`
const launch = { content: 'Launch', date_marker: '2024-06-20T09:00:00Z', scope: 'project' }

/** Clients of real styles that make no mistake, beside those of `strangers.table.ts`. */
const clients: readonly [
  client: string,
  run: (client: Started) => Promise<unknown>,
  settings?: SettingOverrides,
][] = [
  [
    'adds the number of rows that came to the offset, with a limit that the service lowers',
    async ({ ask, simulator }) => {
      const rows = Array.from({ length: 250 }, (_, index) => ({ content: `Row ${index}` }))
      for (const row of rows) simulator.world.annotations.create(row)
      for (let offset = 0, count = 1; offset < count; ) {
        const { body } = await ask('GET', `${annotationsPath}?limit=200&offset=${offset}`)
        const page = body as { count: number; results: unknown[] }
        offset += page.results.length
        count = page.count
      }
    },
    { 'lists.limit.maximum': '100' },
  ],
  [
    'begins again when the count changes',
    async (client) => {
      writeByAnother(client, { rows: { annotations: [{ date_marker: null }] } })
      await client.ask('GET', two)
      await client.ask('GET', `${two}&offset=2`)
      await walk(client, two)
    },
  ],
  [
    'polls all pages of a list every two seconds',
    (client) =>
      repeat(30, async () => {
        await walk(client, `${annotationsPath}?limit=3`)
        client.simulator.clock.advance({ seconds: 2 })
      }),
  ],
  [
    'follows links with a search and a key in the query',
    (client) => walk(client, `${annotationsPath}?search=e&personal_api_key=phx_all`, { key: null }),
    { 'annotations.list.limit.default': 2, 'keys.places': 'header_body_query' },
  ],
  [
    'creates a row again after it was refused, with a shorter text',
    async ({ ask }) => {
      await ask('POST', annotationsPath, { body: { ...launch, content: 'x'.repeat(401) } })
      await ask('POST', annotationsPath, { body: { ...launch, content: 'x'.repeat(400) } })
    },
  ],
  [
    'sets a text that it never read, after another client changed it',
    async ({ ask }) => {
      await ask('PATCH', first, { key: 'phx_old', body: { content: 'Release 1.0.0' } })
      await ask('PATCH', first, { body: { content: 'Release 1.0 (3f2c1d0)' } })
    },
  ],
  [
    'deletes a row, and restores it when the user clicks Undo',
    async ({ ask }) => {
      await ask('PATCH', first, { body: { deleted: true } })
      await ask('PATCH', first, { body: { deleted: false } })
    },
  ],
  [
    'is twelve tests that list all rows, with a reset before each',
    ({ ask, simulator }) =>
      repeat(12, async () => {
        simulator.reset()
        await ask('GET', annotationsPath)
      }),
  ],
  [
    'is two named tests that create the same row at once',
    ({ ask }) =>
      Promise.all(
        ['creates', 'creates and reads'].map((name) =>
          ask('POST', annotationsPath, {
            body: { content: 'Launch' },
            headers: { 'understudy-test': name, 'content-type': 'application/json' },
          }),
        ),
      ),
  ],
  [
    'waits each time as a 429 says in words',
    async ({ ask, simulator }) => {
      const effect = { error: 'throttled', retry_after_s: 3 } as const
      simulator.faults.add({ when: { times: 2 }, effect })
      for (let reply: Reply | null = null; reply?.status !== 200; ) {
        reply = await ask('GET', first)
        simulator.clock.advance({ seconds: 3 })
      }
    },
  ],
]

test.each(clients)('no mistake is found in a client that %s', async (_, run, settings = {}) => {
  const client = await start({ settings })

  await run(client)

  expect(client.simulator.journal.mistakes()).toEqual([])
})
