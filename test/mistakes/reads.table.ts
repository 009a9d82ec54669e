import { annotationsPath } from '../support/api/paths.ts'
import type { Reply } from '../support/transports/client.ts'
import { numbers, type RuleExample, repeat, walk, writeByAnother } from './rule-example.ts'

const firstRow = `${annotationsPath}1/`
const two = `${annotationsPath}?limit=2`

/** Mistakes of clients that read pages, or send a request again. */
export const readExamples: readonly RuleExample[] = [
  {
    rule: 'skipped-row',
    title: 'an offset from a limit that the service lowers',
    settings: { 'annotations.list.limit.default': 2 },
    breaks: async ({ ask }) => {
      await ask('GET', annotationsPath)
      await ask('GET', `${annotationsPath}?offset=5`)
    },
    keeps: async (client) => {
      const pages = await walk(client, annotationsPath)
      const { previous } = (pages[2] as Reply).body as { previous: string }
      await client.ask('GET', previous.replace(client.origin, ''))
      await client.ask('GET', '/api/projects/?offset=1')
      await client.ask('GET', `${annotationsPath}?limit=3&offset=3`)
    },
    message: 'The client computed ?offset=5, and `next` was ?limit=2&offset=2.',
    entries: [1, 2],
  },
  {
    rule: 'unread-pages',
    title: 'the first page only',
    settings: { 'annotations.list.limit.default': 2 },
    breaks: async ({ ask }) => {
      await ask('GET', annotationsPath)
      await ask('GET', `${two}&offset=2`)
    },
    keeps: async (client) => {
      await client.ask('GET', two)
      await client.ask('GET', `${annotationsPath}?search=e`)
      await client.ask('GET', annotationsPath)
      await client.ask('GET', `${annotationsPath}?limit=50`)
      await client.ask('GET', annotationsPath)
    },
    message: 'The list has more rows than this page, and the client did not read the last page.',
    entries: [1],
  },
  {
    rule: 'repeated-row',
    title: 'a row is inserted before the next page',
    breaks: async (client) => {
      writeByAnother(client, {
        rows: { annotations: [{ content: 'New', date_marker: '2025-01-01T00:00:00Z' }] },
      })
      await walk(client, two)
    },
    keeps: async (client) => {
      writeByAnother(client, {
        rows: { annotations: [{ content: 'New', date_marker: '2025-01-01T00:00:00Z' }] },
      })
      await walk(client, two)
      await walk(client, two)
    },
    message: 'Row 4 came on two pages.',
    entries: [1, 2, 3, 4],
  },
  {
    rule: 'skipped-row',
    title: 'rows are deleted on the way',
    breaks: async ({ ask }) => {
      await ask('GET', two)
      await ask('PATCH', `${annotationsPath}5/`, { body: { deleted: true } })
      await ask('GET', `${two}&offset=2`)
      await ask('GET', `${two}&offset=4`)
    },
    keeps: async (client) => {
      await client.ask('GET', two)
      await client.ask('PATCH', `${annotationsPath}5/`, { body: { deleted: true } })
      await client.ask('GET', `${two}&offset=2`)
      await walk(client, two)
    },
    message: 'Row 1 moved to a page that the client had read before.',
    entries: [1, 3, 4],
  },
  {
    rule: 'early-retry',
    title: 'a throttled request',
    faults: [{ when: { times: 1 }, effect: { error: 'throttled', retry_after_s: 30 } }],
    breaks: async ({ ask, simulator }) => {
      await ask('GET', firstRow)
      simulator.clock.advance({ seconds: 12 })
      await ask('GET', firstRow)
    },
    keeps: async ({ ask, simulator }) => {
      await ask('GET', firstRow)
      simulator.clock.advance({ seconds: 12 })
      await ask('GET', '/api/projects/')
      simulator.clock.advance({ seconds: 18 })
      await ask('GET', firstRow)
    },
    message: 'The 429 says to wait 30 s. The client sent a request 12 s after the throttled one.',
    entries: [1, 2],
  },
  {
    rule: 'endless-retry',
    title: 'an outage',
    faults: [{ effect: { status: 503, body: 'Down' } }],
    breaks: ({ ask }) => repeat(21, () => ask('GET', firstRow)),
    keeps: async ({ ask, simulator }) => {
      await repeat(19, () => ask('GET', firstRow))
      simulator.clock.advance({ minutes: 2 })
      await repeat(19, () => ask('GET', firstRow))
      simulator.faults.clear()
      await ask('GET', firstRow)
      simulator.faults.add({ effect: { status: 503 } })
      await repeat(19, () => ask('GET', firstRow))
    },
    message: 'The client repeated a request that ended with the status 503.',
    entries: numbers(1, 20),
  },
  {
    rule: 'endless-retry',
    title: 'a wait that does not grow',
    faults: [{ effect: { status: 503, body: 'Down' } }],
    breaks: ({ ask, simulator }) =>
      repeat(20, async () => {
        await ask('GET', firstRow)
        simulator.clock.advance({ seconds: 5 })
      }),
    keeps: async ({ ask, simulator }) => {
      simulator.faults.clear()
      simulator.faults.add({ effect: { error: 'throttled', retry_after_s: 5 } })
      await repeat(30, async () => {
        await ask('GET', firstRow)
        simulator.clock.advance({ seconds: 5 })
      })
    },
    message: 'The client repeated a request that ended with the status 503.',
    entries: numbers(1, 20),
  },
  {
    rule: 'repeated-refusal',
    title: 'a request without a valid key',
    breaks: ({ ask }) => repeat(3, () => ask('GET', firstRow, { key: 'phx_unknown' })),
    keeps: async ({ ask }) => {
      for (const key of ['phx_a_unknown', 'phx_b_unknown', 'phx_c_unknown', 'phx_c_unknown'])
        await ask('GET', firstRow, { key })
      await repeat(9, () => ask('GET', `${annotationsPath}999/`))
      await ask('GET', firstRow)
      await ask('GET', `${annotationsPath}999/`)
    },
    message: 'The client repeated a request that ended with the status 401.',
    entries: [1, 2, 3],
  },
]
