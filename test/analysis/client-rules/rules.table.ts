import type { PolicyOverrides } from '../../../src/policies/settings.ts'
import type { FaultRequest } from '../../../src/sandbox/faults/fault-request.ts'
import { acme, annotationsPath } from '../../support/api/paths.ts'
import type { Reply, RequestOptions } from '../../support/lanes/client.ts'
import type { Started } from '../../support/lanes/start.ts'

/** A client that breaks a rule, and one that does the same without a mistake. */
export interface RuleExample {
  readonly rule: string
  readonly title: string
  readonly policies?: PolicyOverrides
  readonly faults?: readonly FaultRequest[]
  readonly breaks: (client: Started) => Promise<unknown>
  readonly keeps: (client: Started) => Promise<unknown>
  /** The message of the mistake, and the ids of its entries */
  readonly message: string
  readonly entries: readonly number[]
}

const firstRow = `${annotationsPath}1/`
const plugins = `/api/organizations/${acme}/plugins/`
const launch = { content: 'Launch', date_marker: '2024-06-20T09:00:00Z' }
const two = `${annotationsPath}?limit=2`

/** Reads all pages of a list by their links. */
export async function walk(
  { ask, origin }: Started,
  path: string,
  options: RequestOptions = {},
): Promise<Reply[]> {
  const pages: Reply[] = []
  for (let next: string | null = path; next !== null; ) {
    const page = await ask('GET', next, options)
    pages.push(page)
    const link = (page.body as { next: string | null }).next
    next = link === null ? null : link.replace(origin, '')
  }
  return pages
}

export async function repeat(times: number, send: () => Promise<unknown>): Promise<void> {
  for (let sent = 0; sent < times; sent++) await send()
}

/** Requests that take a millisecond of a frozen clock. */
async function getSlowly({ ask, simulator }: Started, path: string): Promise<void> {
  await ask('GET', path)
  simulator.clock.advance({ milliseconds: 1 })
}

export const numbers = (first: number, last: number) =>
  Array.from({ length: last - first + 1 }, (_, index) => first + index)

/** Another user writes after the first request for a list. */
const write = ({ simulator }: Started, step: object) =>
  simulator.actors.add({ after: { operation: 'listAnnotations' }, steps: [step as never] })

export const ruleExamples: readonly RuleExample[] = [
  {
    rule: 'swallowed-delete',
    title: 'DELETE as clean-up',
    breaks: async ({ ask }) => {
      await ask('DELETE', firstRow)
      await ask('DELETE', `${annotationsPath}2/`)
      await ask('GET', '/api/projects/')
    },
    keeps: async ({ ask }) => {
      await ask('DELETE', firstRow)
      await ask('PATCH', firstRow, { body: { deleted: true } })
      await ask('DELETE', firstRow)
      await ask('DELETE', `${annotationsPath}6/`)
      await ask('DELETE', `${annotationsPath}99999/`)
      await ask('DELETE', `${annotationsPath}2/`)
      await ask('GET', `${annotationsPath}2/`)
    },
    message: 'Annotations 1, 2 were not deleted, and the client did not delete them with PATCH.',
    entries: [1, 2],
  },
  {
    rule: 'swallowed-delete',
    title: 'DELETE with another status',
    policies: { 'annotations.delete.status': '404' },
    breaks: ({ ask }) => ask('DELETE', firstRow),
    keeps: async ({ ask }) => {
      await ask('DELETE', firstRow, { key: 'phx_annotation_read' })
      await ask('DELETE', `${annotationsPath}999/`)
      await ask('PATCH', `${annotationsPath}999/`, { body: { deleted: true } })
    },
    message: 'Annotation 1 was not deleted, and the client did not delete it with PATCH.',
    entries: [1],
  },
  {
    rule: 'repeated-create',
    title: 'a create without a response',
    faults: [
      {
        operation: 'createAnnotation',
        phase: 'after-commit',
        when: { times: 1 },
        effect: { drop: true },
      },
    ],
    breaks: async ({ ask }) => {
      const { date_marker, content } = launch
      await ask('POST', annotationsPath, { body: launch }).catch(() => {})
      await ask('POST', annotationsPath, { body: { date_marker, content } })
    },
    keeps: async ({ ask }) => {
      await ask('POST', annotationsPath, { body: launch }).catch(() => {})
      await ask('GET', '/api/projects/@current/annotations/?search=launch', {
        key: 'phx_annotation_read',
      })
      await ask('POST', annotationsPath, { body: launch })
    },
    message: 'The client got no complete response to the first request, and sent it again.',
    entries: [1, 2],
  },
  {
    rule: 'repeated-create',
    title: 'a create whose response is an error',
    faults: [
      {
        operation: 'createAnnotation',
        phase: 'after-commit',
        when: { times: 1 },
        effect: { status: 502 },
      },
    ],
    breaks: ({ ask }) => repeat(2, () => ask('POST', annotationsPath, { body: launch })),
    keeps: async ({ ask }) => {
      await ask('POST', annotationsPath, { body: launch })
      await ask('POST', annotationsPath, { body: { content: 'Another one' } })
      await ask('POST', annotationsPath, { body: launch })
    },
    message: 'The client got no complete response to the first request, and sent it again.',
    entries: [1, 2],
  },
  {
    rule: 'repeated-create',
    title: 'a create whose response is incomplete',
    faults: [{ operation: 'createPlugin', when: { times: 1 }, effect: { cut_bytes: 9 } }],
    breaks: ({ ask }) =>
      repeat(2, () => ask('POST', plugins, { body: { name: 'x' } }).catch(() => {})),
    keeps: async ({ ask }) => {
      await ask('POST', plugins, { body: { name: 'x' } }).catch(() => {})
      await ask('GET', plugins)
      await ask('POST', plugins, { body: { name: 'x' } })
    },
    message: 'The client got no complete response to the first request, and sent it again.',
    entries: [1, 2],
  },
  {
    rule: 'repeated-create',
    title: 'a create whose response comes slowly',
    faults: [
      { operation: 'createAnnotation', when: { times: 1 }, effect: { slow_bytes_per_s: 5_000 } },
    ],
    breaks: ({ ask }) => repeat(2, () => ask('POST', annotationsPath, { body: launch })),
    keeps: async ({ ask }) => {
      await ask('POST', annotationsPath, { body: launch })
      await ask('GET', annotationsPath)
      await ask('POST', annotationsPath, { body: launch })
    },
    message: 'The client got no complete response to the first request, and sent it again.',
    entries: [1, 2],
  },
  {
    rule: 'repeated-create',
    title: 'a click too many',
    breaks: ({ ask }) =>
      Promise.all([1, 2].map(() => ask('POST', annotationsPath, { body: launch }))),
    keeps: async ({ ask, simulator }) => {
      await ask('POST', annotationsPath, { body: launch })
      simulator.clock.advance({ milliseconds: 101 })
      await ask('POST', annotationsPath, { body: launch })
      await ask('GET', '/api/projects/')
      await repeat(3, () => ask('POST', annotationsPath, { body: { content: 'A row for a test' } }))
    },
    message:
      'The client sent the same create twice, with nothing in between, and no time passed on the clock.',
    entries: [1, 2],
  },
  {
    rule: 'duplicate-row',
    title: 'times that are compared as texts',
    breaks: async ({ ask }) => {
      const body = { content: 'Launch', date_marker: '2024-06-20T09:00:00.123Z' }
      await ask('POST', annotationsPath, { body })
      await ask('GET', `${annotationsPath}?search=launch`)
      await ask('POST', annotationsPath, { body })
    },
    keeps: async ({ ask }) => {
      const body = { content: 'Launch', date_marker: '2024-06-20T09:00:00.123Z' }
      await ask('POST', annotationsPath, { body })
      await ask('GET', `${annotationsPath}?search=launch`)
      await ask('PATCH', `${annotationsPath}9/`, { body: { deleted: true } })
      await ask('POST', annotationsPath, { body })
      await ask('POST', annotationsPath, { body: launch })
      await ask('GET', `${annotationsPath}?search=launch`)
      await ask('POST', annotationsPath, { body: launch })
    },
    message:
      'The client sent the time 2024-06-20T09:00:00.123Z. Row 9, which it had read, has the same content and the same time: 2024-06-20T09:00:00.123000Z.',
    entries: [2, 3],
  },
  {
    rule: 'undone-change',
    title: 'a whole row is sent back',
    breaks: async (client) => {
      write(client, { update: 'annotations', id: 1, changes: { scope: 'organization' } })
      await client.ask('GET', annotationsPath)
      await client.ask('PATCH', firstRow, { body: { content: 'New', scope: 'dashboard_item' } })
    },
    keeps: async (client) => {
      write(client, { update: 'annotations', id: 1, changes: { scope: 'organization' } })
      await client.ask('GET', annotationsPath)
      await client.ask('PATCH', firstRow, { body: { content: 'New' } })
    },
    message:
      'The update sets scope from "organization" to "dashboard_item", where the client had read "dashboard_item".',
    entries: [1, 2],
  },
  {
    rule: 'undone-change',
    title: 'two keys',
    breaks: async ({ ask }) => {
      await ask('GET', `${plugins}21/`)
      const key = 'phx_plugin_write'
      await ask('PATCH', `${plugins}21/`, { key, body: { description: 'Better' } })
      const body = { name: 'Renamed', description: 'Writes events to a storage bucket.' }
      await ask('PATCH', `${plugins}21/`, { body })
    },
    keeps: async ({ ask }) => {
      await ask('GET', `${plugins}21/`)
      const body = { name: 'Renamed', description: 'Better' }
      await ask('PATCH', `${plugins}21/`, { body })
      await ask('PATCH', `${plugins}21/`, { body: { name: 'R', description: 'Better' } })
    },
    message:
      'The update sets description from "Better" to "Writes events to a storage bucket.", where the client had read "Writes events to a storage bucket.".',
    entries: [1, 3],
  },
  {
    rule: 'undone-change',
    title: 'a text that another client changed gets an addition',
    breaks: async ({ ask }) => {
      await ask('GET', firstRow)
      await ask('PATCH', firstRow, { key: 'phx_old', body: { content: 'Release 1.0.0' } })
      await ask('PATCH', firstRow, { body: { content: 'Release 1.0 (Ada)' } })
    },
    keeps: async ({ ask }) => {
      await ask('GET', firstRow)
      await ask('PATCH', firstRow, { key: 'phx_old', body: { content: 'Release 1.0.0' } })
      await ask('GET', firstRow)
      await ask('PATCH', firstRow, { body: { content: 'Release 1.0.0 (Ada)' } })
    },
    message:
      'The update sets content from "Release 1.0.0" to "Release 1.0 (Ada)", where the client had read "Release 1.0".',
    entries: [1, 3],
  },
  {
    rule: 'ignored-input',
    title: 'fields and parameters with other names',
    breaks: ({ ask }) =>
      repeat(2, () => ask('POST', annotationsPath, { body: { content: 'x', dateMarker: 'y' } })),
    keeps: ({ ask }) => ask('POST', annotationsPath, { body: { content: 'x', date_marker: null } }),
    message: 'createAnnotation ignores body.dateMarker, did you mean date_marker?',
    entries: [1, 2],
  },
  {
    rule: 'response-only-field',
    title: 'fields of a response',
    breaks: ({ ask }) =>
      ask('PATCH', firstRow, { body: { content: 'x', id: 1, created_at: 'now' } }),
    keeps: ({ ask }) => ask('PATCH', firstRow, { body: { content: 'x' } }),
    message: 'updateAnnotation ignores body.id, body.created_at, which only responses have.',
    entries: [1],
  },
  {
    rule: 'swapped-id',
    title: 'a project in place of an organization',
    breaks: ({ ask }) => ask('GET', '/api/organizations/1/plugins/'),
    keeps: ({ ask }) => ask('GET', plugins),
    message:
      '/api/organizations/1 has a number, as projects have. The id of an organization is a UUID.',
    entries: [1],
  },
  {
    rule: 'swapped-id',
    title: 'an organization in place of a project',
    breaks: ({ ask }) => ask('GET', `/api/projects/${acme}/annotations/`),
    keeps: ({ ask }) => ask('GET', '/api/projects/@current/annotations/'),
    message: `/api/projects/${acme} has a UUID, as organizations have. The id of a project is a number.`,
    entries: [1],
  },
  {
    rule: 'key-in-query',
    title: 'a key in a URL',
    policies: { 'keys.places': 'header_body_query' },
    breaks: ({ ask }) => ask('GET', '/api/projects/?personal_api_key=phx_all', { key: null }),
    keeps: ({ ask }) => ask('GET', '/api/projects/'),
    message: 'The query has the parameter personal_api_key.',
    entries: [1],
  },
  {
    rule: 'zero-time',
    title: 'a Go time that was never set',
    breaks: ({ ask }) =>
      ask('POST', annotationsPath, { body: { ...launch, date_marker: '0001-01-01T00:00:00Z' } }),
    keeps: async ({ ask }) => {
      const body = { ...launch, date_marker: '0001-01-01T00:00:00Z' }
      await ask('POST', annotationsPath, { body: launch })
      await ask('POST', annotationsPath, { body: { ...body, scope: 'nowhere' } })
      await ask('POST', annotationsPath, { body, key: 'phx_annotation_read' })
    },
    message: 'The client sent the date_marker 0001-01-01T00:00:00Z.',
    entries: [1],
  },
  {
    rule: 'zero-time',
    title: 'a Go time that is refused',
    breaks: ({ ask }) =>
      ask('POST', annotationsPath, { body: { date_marker: '0001-01-01T00:00:00+05:00' } }),
    keeps: ({ ask }) => ask('POST', annotationsPath, { body: { content: 'Launch' } }),
    message: 'The client sent the date_marker 0001-01-01T00:00:00+05:00.',
    entries: [1],
  },
  {
    rule: 'local-time',
    title: 'a local time',
    breaks: async ({ ask }) => {
      await ask('POST', annotationsPath, { body: { date_marker: '2024-06-20T11:00:00.123' } })
      await ask('PATCH', firstRow, { body: { date_marker: '2024-06-20 11:00' } })
    },
    keeps: async ({ ask }) => {
      await ask('POST', annotationsPath, { body: { date_marker: '2024-06-20T11:00:00+02:00' } })
      await ask('POST', annotationsPath, { body: { date_marker: '2024-06-20T09:00Z' } })
      await ask('POST', annotationsPath, { body: { date_marker: '2024-06-20T09:00' }, key: null })
    },
    message: 'The client sent the date_marker 2024-06-20T11:00:00.123.',
    entries: [1, 2],
  },
  {
    rule: 'text-for-boolean',
    title: 'a word in place of true',
    breaks: ({ ask }) => ask('PATCH', firstRow, { body: { deleted: 'yes please' } }),
    keeps: async ({ ask }) => {
      await ask('PATCH', firstRow, { body: { deleted: 'yes please' } })
      await ask('PATCH', firstRow, { body: { deleted: true } })
    },
    message: 'The API refused deleted: "yes please", and the client did not send a boolean.',
    entries: [1],
  },
  {
    rule: 'misspelled-value',
    title: 'British spelling',
    breaks: ({ ask }) => ask('POST', annotationsPath, { body: { scope: 'organisation' } }),
    keeps: async ({ ask }) => {
      await ask('POST', annotationsPath, { body: { scope: 'organisation' } })
      await ask('POST', annotationsPath, { body: { scope: 'organization' } })
      await ask('POST', annotationsPath, { body: { scope: 'nowhere' } })
    },
    message: 'The API refused the scope "organisation", and the client did not send organization.',
    entries: [1],
  },
  {
    rule: 'page-arithmetic',
    title: 'an offset from a limit that the service lowers',
    policies: { 'annotations.list.limit.default': 2 },
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
    rule: 'page-arithmetic',
    title: 'an offset behind the last row',
    breaks: async ({ ask }) => {
      await ask('GET', two)
      await ask('GET', `${two}&offset=7`)
    },
    keeps: async ({ ask }) => {
      await ask('GET', two)
      await ask('GET', `${two}&offset=4`)
      await ask('GET', `${annotationsPath}?offset=6`)
    },
    message: 'The client computed ?limit=2&offset=7, and `next` was ?limit=2&offset=2.',
    entries: [1, 2],
  },
  {
    rule: 'repeated-page',
    title: 'a loop that does not move',
    breaks: (client) => repeat(16, () => getSlowly(client, two)),
    keeps: async (client) => {
      await repeat(14, () => getSlowly(client, two))
      await client.ask('PATCH', firstRow, { body: { content: 'x' } })
      await repeat(14, () => getSlowly(client, two))
      client.simulator.clock.advance({ seconds: 1 })
      await repeat(14, () => getSlowly(client, two))
      client.simulator.reset()
      await repeat(20, async () => {
        await walk(client, two)
        client.simulator.clock.advance({ milliseconds: 1 })
      })
      await repeat(20, () => getSlowly(client, annotationsPath))
    },
    message: 'The client requested the same page again and again.',
    entries: numbers(1, 16),
  },
  {
    rule: 'repeated-page',
    title: 'a loop over two pages',
    breaks: (client) =>
      repeat(15, async () => {
        await getSlowly(client, `${two}&offset=2`)
        await getSlowly(client, `${two}&offset=4`)
      }),
    keeps: (client) =>
      repeat(14, async () => {
        await getSlowly(client, `${two}&offset=2`)
        await getSlowly(client, `${two}&offset=4`)
      }),
    message: 'The client requested the same page again and again.',
    // All of the first page, then those of the second one.
    entries: [...numbers(1, 10), 11, 13, 15, 17, 19, 21, 23, 25, 27, 29],
  },
  {
    rule: 'unread-pages',
    title: 'the first page only',
    policies: { 'annotations.list.limit.default': 2 },
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
      write(client, {
        create: 'annotations',
        row: { content: 'New', date_marker: '2025-01-01T00:00:00Z' },
      })
      await walk(client, two)
    },
    keeps: async (client) => {
      write(client, {
        create: 'annotations',
        row: { content: 'New', date_marker: '2025-01-01T00:00:00Z' },
      })
      await walk(client, two)
      await walk(client, two)
    },
    message: 'Row 4 came on two pages.',
    entries: [1, 2, 3, 4],
  },
  {
    rule: 'repeated-row',
    title: 'a row is inserted before “Load more”',
    breaks: async (client) => {
      write(client, {
        create: 'annotations',
        row: { content: 'New', date_marker: '2025-01-01T00:00:00Z' },
      })
      await client.ask('GET', two)
      await client.ask('GET', `${two}&offset=2`)
    },
    keeps: async ({ ask }) => {
      await ask('GET', two)
      await ask('PATCH', firstRow, { body: { date_marker: null } })
      await ask('GET', `${two}&offset=2`)
    },
    message: 'Row 4 came on two pages.',
    entries: [1, 2],
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
    rule: 'skipped-row',
    title: 'a row goes and another comes, so that the count stays',
    breaks: async (client) => {
      write(client, { delete: 'annotations', id: 5 })
      write(client, {
        create: 'annotations',
        row: { content: 'Old', date_marker: '2020-01-01T00:00:00Z' },
      })
      await walk(client, two)
    },
    keeps: async (client) => {
      write(client, { delete: 'annotations', id: 2 })
      await walk(client, two)
    },
    message: 'Row 1 moved to a page that the client had read before.',
    entries: [1, 2, 3],
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
    message: 'The 429 says to wait 30 s. The client waited 12 s.',
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
    title: 'a key without the scope',
    breaks: ({ ask }) =>
      repeat(15, () => ask('POST', annotationsPath, { key: 'phx_annotation_read', body: {} })),
    keeps: async ({ ask, simulator }) => {
      const key = 'phx_annotation_read'
      await repeat(14, () => ask('POST', annotationsPath, { key, body: {} }))
      simulator.clock.advance({ seconds: 61 })
      await repeat(14, () => ask('POST', annotationsPath, { key, body: {} }))
    },
    message: 'The client repeated a request that ended with the status 403.',
    entries: numbers(1, 15),
  },
  {
    rule: 'repeated-refusal',
    title: 'a refused field beside one that changes',
    breaks: async ({ ask }) => {
      for (const content of numbers(1, 15)) {
        await ask('POST', annotationsPath, { body: { content: `${content}`, scope: 'nowhere' } })
      }
    },
    keeps: async ({ ask }) => {
      for (const number of numbers(1, 15)) {
        await ask('POST', annotationsPath, { body: { scope: `wrong-${number}` } })
      }
    },
    message: 'The client repeated a request that ended with the status 400.',
    entries: numbers(1, 15),
  },
  {
    rule: 'repeated-refusal',
    title: 'a row that is not there',
    breaks: ({ ask }) => repeat(15, () => ask('GET', `${annotationsPath}999/`)),
    keeps: ({ ask, simulator }) =>
      repeat(30, async () => {
        await ask('GET', `${annotationsPath}999/`)
        simulator.clock.advance({ seconds: 1 })
      }),
    message: 'The client repeated a request that ended with the status 404.',
    entries: numbers(1, 15),
  },
]
