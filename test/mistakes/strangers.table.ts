import type { SettingOverrides } from '../../src/settings/resolve.ts'
import type { FaultRequest } from '../../src/simulator/faults/schema.ts'
import { acme, annotationsPath as list } from '../support/api/paths.ts'
import type { Reply } from '../support/lanes/client.ts'
import type { Started } from '../support/lanes/start.ts'
import { repeat, walk, writeByAnother } from './rule-example.ts'

/** A client, written from the documentation of the API. */
interface Stranger {
  readonly title: string
  /** The rule that it breaks. Null for a correct client */
  readonly breaks: string | null
  readonly settings?: SettingOverrides
  readonly fault?: FaultRequest
  readonly run: (client: Started) => Promise<unknown>
}

const plugins = `/api/organizations/${acme}/plugins/`
const row = (id: number): string => `${list}${id}/`
const launch = { content: 'Launch', date_marker: '2024-06-20T09:00:00Z', scope: 'project' }
const hide = { body: { deleted: true } }
const two = { 'annotations.list.limit.default': 2 }
const lost: FaultRequest = {
  method: 'POST',
  phase: 'after-commit',
  when: { times: 1 },
  effect: { drop: true },
}
const down: FaultRequest = { effect: { status: 503 } }
const busy: FaultRequest = {
  when: { times: 1 },
  effect: { error: 'throttled', retry_after_s: 60 },
}
const hidesLate: FaultRequest = { method: 'PATCH', when: { times: 1 }, effect: { drop: true } }

const create = (client: Started, body: object = launch, path = list): Promise<Reply | null> =>
  client.ask('POST', path, { body }).catch(() => null)
const wait = ({ simulator }: Started, seconds: number): void => {
  simulator.clock.advance({ seconds })
}
const rowsOf = ({ body }: Reply) => (body as { results: { id: number }[] }).results
const idOf = (reply: Reply | null): number => Object(reply?.body).id
const find = ({ ask }: Started, text: string): Promise<Reply> =>
  ask('GET', `${list}?search=${encodeURIComponent(text)}`)

const correct: readonly Omit<Stranger, 'breaks'>[] = [
  { title: 'shows five rows', run: ({ ask }) => ask('GET', `${list}?limit=5`) },
  { title: 'reads all pages', run: (client) => walk(client, `${list}?limit=2`) },
  { title: 'reads all pages of the service', settings: two, run: (client) => walk(client, list) },
  { title: 'searches', settings: two, run: (client) => find(client, 'release') },
  { title: 'asks for more rows than there are', run: ({ ask }) => ask('GET', `${list}?limit=500`) },
  {
    title: 'goes forth and back by links',
    run: async ({ ask, origin }) => {
      const first = await ask('GET', `${list}?limit=2`)
      const { next } = first.body as { next: string }
      const second = await ask('GET', next.replace(origin, ''))
      const { previous } = second.body as { previous: string }
      await ask('GET', previous.replace(origin, ''))
    },
  },
  {
    title: 'counts pages of its own limit',
    run: async ({ ask }) => {
      for (const offset of [0, 2, 4]) await ask('GET', `${list}?limit=2&offset=${offset}`)
    },
  },
  {
    title: 'starts again when a row came twice',
    run: async (client) => {
      writeByAnother(client, {
        rows: { annotations: [{ content: 'New', date_marker: '2025-01-01T00:00:00Z' }] },
      })
      const ids = (await walk(client, `${list}?limit=2`)).flatMap(rowsOf).map(({ id }) => id)
      if (new Set(ids).size < ids.length) await walk(client, `${list}?limit=2`)
    },
  },
  {
    title: 'polls',
    run: (client) =>
      repeat(25, async () => {
        await client.ask('GET', `${list}?limit=5`)
        wait(client, 10)
      }),
  },
  { title: 'hides a row', run: ({ ask }) => ask('PATCH', row(1), hide) },
  {
    title: 'hides a row after a refused DELETE',
    run: async ({ ask }) => {
      const { status } = await ask('DELETE', row(1))
      if (status >= 400) await ask('PATCH', row(1), hide)
    },
  },
  {
    title: 'says that a row cannot be deleted, and shows it',
    run: async ({ ask }) => {
      const { status } = await ask('DELETE', row(1))
      if (status >= 400) await ask('GET', row(1))
    },
  },
  {
    title: 'hides several rows',
    run: async ({ ask }) => {
      for (const id of [1, 2, 4]) await ask('PATCH', row(id), hide)
    },
  },
  {
    title: 'repeats a lost PATCH',
    fault: hidesLate,
    run: async ({ ask }) => {
      await ask('PATCH', row(1), hide).catch(() => ask('PATCH', row(1), hide))
    },
  },
  {
    title: 'creates a row, and edits it twice',
    run: async (client) => {
      const id = idOf(await create(client))
      await client.ask('PATCH', row(id), { body: { content: 'Launch 2' } })
      await client.ask('PATCH', row(id), { body: { date_marker: '2024-06-21T09:00:00Z' } })
    },
  },
  {
    title: 'creates three rows',
    run: async (client) => {
      for (const content of ['One', 'Two', 'Three']) await create(client, { ...launch, content })
    },
  },
  {
    title: 'creates a row of each day',
    run: async (client) => {
      for (const day of [20, 21]) {
        await create(client, { ...launch, date_marker: `2024-06-${day}T09:00:00Z` })
      }
    },
  },
  {
    title: 'creates a row unless a search finds it',
    run: async (client) => {
      for (let run = 0; run < 2; run += 1) {
        if (rowsOf(await find(client, 'Launch')).length === 0) await create(client)
        wait(client, 60)
      }
    },
  },
  {
    title: 'looks for a row after a lost response',
    fault: lost,
    run: async (client) => {
      if (await create(client)) return
      if (rowsOf(await find(client, 'Launch')).length === 0) await create(client)
    },
  },
  {
    title: 'creates a row again that it did not find',
    fault: { ...lost, phase: 'before' },
    run: async (client) => {
      if (await create(client)) return
      if (rowsOf(await find(client, 'Launch')).length === 0) await create(client)
    },
  },
  {
    title: 'gives up a create whose response is lost',
    fault: lost,
    run: (client) => create(client),
  },
  {
    title: 'two users create the same row',
    run: async (client) => {
      await create(client)
      await client.ask('POST', list, { body: launch, key: 'phx_old' })
    },
  },
  {
    title: 'sends the field that its user changed',
    run: async (client) => {
      await client.ask('GET', row(1))
      client.simulator.world.annotations.update(1, { scope: 'organization' })
      await client.ask('PATCH', row(1), { body: { content: 'Release 1.1' } })
    },
  },
  {
    title: 'reads a row again before it changes it',
    run: async (client) => {
      await client.ask('GET', row(1))
      client.simulator.world.annotations.update(1, { content: 'By another' })
      const { content } = (await client.ask('GET', row(1))).body as { content: string }
      await client.ask('PATCH', row(1), { body: { content: `${content} and me` } })
    },
  },
  {
    title: 'sends a time with its offset',
    run: (client) => create(client, { ...launch, date_marker: '2024-06-20T11:00:00+02:00' }),
  },
  {
    title: 'sends every field that the documentation lists',
    run: (client) =>
      create(client, { ...launch, creation_type: 'USR', dashboard_item: null, deleted: false }),
  },
  {
    title: 'waits as a 429 says',
    fault: busy,
    run: async (client) => {
      await client.ask('GET', list)
      wait(client, 60)
      await client.ask('GET', list)
    },
  },
  {
    title: 'tries four times, and waits longer each time',
    fault: down,
    run: async (client) => {
      for (const seconds of [1, 2, 4, 8]) {
        await client.ask('GET', list)
        wait(client, seconds)
      }
    },
  },
  {
    title: 'stops after a refusal',
    run: ({ ask }) => ask('POST', list, { body: launch, key: 'phx_annotation_read' }),
  },
  {
    title: 'renames a plugin that it created, and deletes it',
    run: async (client) => {
      const id = idOf(await create(client, { name: 'Mine', plugin_type: 'source' }, plugins))
      await client.ask('PATCH', `${plugins}${id}/`, { body: { name: 'Yours' } })
      await client.ask('DELETE', `${plugins}${id}/`)
    },
  },
]

const mistaken: readonly (Stranger & { readonly breaks: string })[] = [
  {
    title: 'takes a DELETE for done',
    breaks: 'swallowed-delete',
    run: ({ ask }) => ask('DELETE', row(1)),
  },
  {
    title: 'deletes, and lists the rest',
    breaks: 'swallowed-delete',
    run: async ({ ask }) => {
      await ask('DELETE', row(1))
      await ask('GET', `${list}?limit=5`)
    },
  },
  {
    title: 'deletes all rows one by one',
    breaks: 'swallowed-delete',
    run: async ({ ask }) => {
      for (const { id } of rowsOf(await ask('GET', `${list}?limit=5`))) await ask('DELETE', row(id))
    },
  },
  {
    title: 'takes the 404 of a DELETE for a row that is gone',
    breaks: 'swallowed-delete',
    settings: { 'annotations.delete.status': '404' },
    run: ({ ask }) => ask('DELETE', row(2)),
  },
  {
    title: 'deletes its own row after a test',
    breaks: 'swallowed-delete',
    run: async (client) => {
      const id = idOf(await create(client))
      await client.ask('DELETE', row(id))
    },
  },
  {
    title: 'repeats each request that fails',
    breaks: 'repeated-create',
    fault: lost,
    run: async (client) => {
      if (!(await create(client))) await create(client)
    },
  },
  {
    title: 'repeats a create that was not carried out',
    breaks: 'repeated-create',
    fault: { ...lost, phase: 'before' },
    run: async (client) => {
      if (!(await create(client))) await create(client)
    },
  },
  {
    title: 'repeats a create after a while',
    breaks: 'repeated-create',
    fault: lost,
    run: async (client) => {
      if (await create(client)) return
      wait(client, 30)
      await create(client)
    },
  },
  {
    title: 'repeats a create after a 502',
    breaks: 'repeated-create',
    fault: { ...lost, effect: { status: 502 } },
    run: async (client) => {
      if ((await create(client))?.status !== 201) await create(client)
    },
  },
  {
    title: 'repeats the create of a plugin',
    breaks: 'repeated-create',
    fault: lost,
    run: (client) => repeat(2, () => create(client, { name: 'Mine' }, plugins)),
  },
  {
    title: 'sends a form on each click',
    breaks: 'duplicate-row',
    run: (client) => repeat(2, () => create(client)),
  },
  {
    title: 'sends a form on each click, and lists after each',
    breaks: 'duplicate-row',
    run: (client) =>
      repeat(2, async () => {
        await create(client)
        await client.ask('GET', `${list}?limit=5`)
      }),
  },
  {
    title: 'imports what is there already',
    breaks: 'duplicate-row',
    run: async (client) => {
      client.simulator.world.annotations.create(launch as never)
      await find(client, 'Launch')
      await create(client)
    },
  },
  {
    title: 'compares the text of times',
    breaks: 'duplicate-row',
    run: async (client) => {
      const body = { ...launch, date_marker: '2024-06-20T09:00:00.500Z' }
      await create(client, body)
      wait(client, 60)
      await find(client, 'Launch')
      await create(client, body)
    },
  },
  {
    title: 'sends a whole row back',
    breaks: 'undone-change',
    run: async ({ ask, simulator }) => {
      const { body } = await ask('GET', row(1))
      simulator.world.annotations.update(1, { scope: 'organization' })
      const { date_marker, scope } = body as typeof launch
      await ask('PATCH', row(1), { body: { content: 'Mine', date_marker, scope } })
    },
  },
  {
    title: 'adds to a text that it read long ago',
    breaks: 'undone-change',
    run: async (client) => {
      const { content } = (await client.ask('GET', row(1))).body as typeof launch
      client.simulator.world.annotations.update(1, { content: 'By another' })
      wait(client, 600)
      await client.ask('PATCH', row(1), { body: { content: `${content}!` } })
    },
  },
  {
    title: 'saves a form that it filled from a list',
    breaks: 'undone-change',
    run: async ({ ask, simulator }) => {
      const [first] = rowsOf(await ask('GET', `${plugins}?limit=5`))
      const { id, name, icon, description } = first as typeof first & Record<string, unknown>
      simulator.world.plugins.update(id as number, { description: 'By another' })
      await ask('PATCH', `${plugins}${id}/`, { body: { name: `${name} 2`, icon, description } })
    },
  },
  {
    title: 'misspells a field',
    breaks: 'ignored-input',
    run: (client) => create(client, { ...launch, dateMarker: launch.date_marker }),
  },
  {
    title: 'sends fields of responses',
    breaks: 'ignored-input',
    run: (client) => create(client, { ...launch, created_at: launch.date_marker }),
  },
  {
    title: 'asks for the second page by its number',
    breaks: 'ignored-input',
    run: ({ ask }) => ask('GET', `${list}?page=2`),
  },
  {
    title: 'names the limit as other services do',
    breaks: 'ignored-input',
    run: ({ ask }) => ask('GET', `${list}?per_page=2`),
  },
  {
    title: 'searches in a list that has no search',
    breaks: 'ignored-input',
    run: ({ ask }) => ask('GET', `${plugins}?search=export`),
  },
  {
    title: 'reads the first page only',
    breaks: 'unread-pages',
    settings: two,
    run: ({ ask }) => ask('GET', list),
  },
  {
    title: 'takes each page for a hundred rows',
    breaks: 'skipped-row',
    settings: two,
    run: async ({ ask }) => {
      await ask('GET', list)
      await ask('GET', `${list}?offset=100`)
    },
  },
  {
    title: 'hides the rows of a page, and goes on with the next one',
    breaks: 'skipped-row',
    run: async ({ ask, origin }) => {
      for (let next: string | null = `${list}?limit=2`; next !== null; ) {
        const page = await ask('GET', next.replace(origin, ''))
        for (const { id } of rowsOf(page).slice(0, 1)) await ask('PATCH', row(id), hide)
        next = (page.body as { next: string | null }).next
      }
    },
  },
  {
    title: 'shows a row twice',
    breaks: 'repeated-row',
    run: async (client) => {
      writeByAnother(client, {
        rows: { annotations: [{ content: 'New', date_marker: '2025-01-01T00:00:00Z' }] },
      })
      await walk(client, `${list}?limit=2`)
    },
  },
  {
    title: 'waits for a second, whatever a 429 says',
    breaks: 'early-retry',
    fault: busy,
    run: async (client) => {
      await client.ask('GET', list)
      wait(client, 1)
      await client.ask('GET', list)
    },
  },
  {
    title: 'repeats a write too early',
    breaks: 'early-retry',
    fault: busy,
    run: async (client) => {
      await create(client)
      wait(client, 20)
      await create(client)
    },
  },
  {
    title: 'never gives up',
    breaks: 'endless-retry',
    fault: down,
    run: (client) =>
      repeat(40, async () => {
        await client.ask('GET', list)
        wait(client, 1)
      }),
  },
  {
    title: 'sends the time of its own clock',
    breaks: 'local-time',
    run: (client) => create(client, { ...launch, date_marker: '2024-06-20T11:00:00' }),
  },
]

/** Thirty correct clients, and thirty that make a mistake. */
export const strangers: readonly Stranger[] = [
  ...correct.map((client) => ({ ...client, breaks: null })),
  ...mistaken,
]
