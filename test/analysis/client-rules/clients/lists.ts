import { generate } from '../../../../src/factories.ts'
import { acme, annotationsPath } from '../../../support/api/paths.ts'
import type { ReportClient, Service } from './client.ts'

const many = generate({ generate: { annotations: 250 } })

/** Clients that read lists of annotations. The world `default` shows six in project 1: 5, 4, 1, 3, 8, 2. */
export const listClients: readonly ReportClient[] = [
  {
    client: 'follows next until it is null',
    mistakes: [],
    run: async ({ get }) => {
      let next: string | null = `${annotationsPath}?limit=2`
      while (next) next = (await get(next)).body.next
    },
  },
  {
    client: 'reads the first page of its own size, for a list of the latest two',
    mistakes: [],
    run: ({ get }) => get(`${annotationsPath}?limit=2`),
  },
  {
    client: 'loads more with its own limit, and the user stops after two of three pages',
    mistakes: [],
    run: async ({ get }) => {
      const first = await get(`${annotationsPath}?limit=2`)
      await get(String(first.body.next))
    },
  },
  {
    client: 'has numbered pages of its own size, and the user opens page 1, 3 and 2',
    mistakes: [],
    run: async ({ get }) => {
      for (const page of [1, 3, 2]) await get(`${annotationsPath}?limit=2&offset=${2 * page - 2}`)
    },
  },
  {
    client: 'opens page 3 from a bookmark',
    mistakes: [],
    run: ({ get }) => get(`${annotationsPath}?limit=2&offset=4`),
  },
  {
    client: 'adds the number of rows that came to the offset, with its own limit',
    mistakes: [],
    options: { world: many, policies: { 'lists.limit.maximum': '100' } },
    run: async ({ get }) => {
      for (let offset = 0, count = 1; offset < count; ) {
        const { body } = await get(`${annotationsPath}?limit=200&offset=${offset}`)
        offset += body.results.length
        count = body.count
      }
    },
  },
  {
    client: 'has numbered pages, and the user changes their size',
    mistakes: [],
    run: async ({ get }) => {
      for (const page of ['limit=2&offset=2', 'limit=4&offset=0', 'limit=4&offset=4']) {
        await get(`${annotationsPath}?${page}`)
      }
    },
  },
  {
    client: 'reads the first page, and then all others at once by the count',
    mistakes: [],
    run: async ({ get }) => {
      const { body } = await get(`${annotationsPath}?limit=2&offset=0`)
      const offsets = Array.from(
        { length: Math.ceil(body.count / 2) - 1 },
        (_, page) => 2 * page + 2,
      )
      await Promise.all(offsets.map((offset) => get(`${annotationsPath}?limit=2&offset=${offset}`)))
    },
  },
  {
    client: 'reads a list backwards by previous',
    mistakes: [],
    run: async ({ get }) => {
      let previous: string | null = `${annotationsPath}?limit=2&offset=4`
      while (previous) previous = (await get(previous)).body.previous
    },
  },
  {
    client: 'searches with a limit of one, to see whether a row exists',
    mistakes: [],
    run: ({ get }) => get(`${annotationsPath}?search=release&limit=1`),
  },
  {
    client: 'searches while the user types',
    mistakes: [],
    run: async ({ get, wait }) => {
      for (let length = 1; length <= 12; length += 1) {
        await get(`${annotationsPath}?search=${'Release 1.0'.slice(0, length)}&limit=5`)
        wait(0.2)
      }
    },
  },
  {
    client: 'begins again when the count changes',
    mistakes: [],
    run: async ({ get, simulator }) => {
      const first = await get(`${annotationsPath}?limit=2`)
      simulator.world.annotations.create({ date_marker: null, scope: 'project' })
      const second = await get(String(first.body.next))
      if (second.body.count === first.body.count) return
      let next: string | null = `${annotationsPath}?limit=2`
      while (next) next = (await get(next)).body.next
    },
  },
  {
    client: 'reads on when a row at the end of the list is deleted, which moves none',
    mistakes: [],
    run: async (service) => {
      const first = await service.get(`${annotationsPath}?limit=2`)
      await service.with({ key: 'phx_old' }).patch(`${annotationsPath}2/`, { deleted: true })
      const second = await service.get(String(first.body.next))
      await service.get(String(second.body.next))
    },
  },
  {
    client: 'reads on when a row comes at the end of the list, which moves none',
    mistakes: [],
    run: async ({ get, simulator }) => {
      const first = await get(`${annotationsPath}?limit=2`)
      simulator.world.annotations.create({ date_marker: '2020-01-01T00:00:00Z', scope: 'project' })
      let { next } = first.body
      while (next) next = (await get(next)).body.next
    },
  },
  {
    client: 'polls the list once a second for a minute',
    mistakes: [],
    run: async ({ get, simulator }) => {
      for (let second = 0; second < 60; second += 1) {
        await get(annotationsPath)
        simulator.clock.advance({ seconds: 1 })
      }
    },
  },
  {
    client: 'polls a list of the latest two once a second for a minute',
    mistakes: [],
    run: async ({ get, simulator }) => {
      for (let second = 0; second < 60; second += 1) {
        await get(`${annotationsPath}?limit=2`)
        simulator.clock.advance({ seconds: 1 })
      }
    },
  },
  {
    client: 'polls a list of the latest two in a test whose clock is frozen',
    mistakes: [],
    run: async ({ get }) => {
      for (let poll = 0; poll < 30; poll += 1) await get(`${annotationsPath}?limit=2`)
    },
  },
  {
    client: 'takes the ids of rows for offsets, and asks for a page behind the last row',
    mistakes: ['page-arithmetic'],
    run: async ({ get }) => {
      await get(`${annotationsPath}?limit=2`)
      await get(`${annotationsPath}?limit=2&offset=7`)
    },
  },
  {
    client: 'polls all pages of a list every two seconds',
    mistakes: [],
    run: async ({ get, simulator }) => {
      for (let poll = 0; poll < 30; poll += 1) {
        let next: string | null = `${annotationsPath}?limit=3`
        while (next) next = (await get(next)).body.next
        simulator.clock.advance({ seconds: 2 })
      }
    },
  },
  {
    client: 'refreshes its list after each of twelve writes',
    mistakes: [],
    run: async ({ get, post, wait }) => {
      for (let number = 1; number <= 12; number += 1) {
        await post(annotationsPath, { content: `Deploy ${number}`, scope: 'project' })
        await get(`${annotationsPath}?limit=2`)
        wait(0.2)
      }
    },
  },
  {
    client: 'shows the same row in twelve places, each of which reads it',
    mistakes: [],
    run: ({ get }) => Promise.all(Array.from({ length: 12 }, () => get(`${annotationsPath}1/`))),
  },
  {
    client: 'polls one row every five seconds',
    mistakes: [],
    run: async ({ get, simulator }) => {
      for (let poll = 0; poll < 120; poll += 1) {
        await get(`${annotationsPath}1/`)
        simulator.clock.advance({ seconds: 5 })
      }
    },
  },
  {
    client: 'waits for a row that another client creates, and asks every two seconds',
    mistakes: [],
    run: async (service) => {
      for (let poll = 0; (await service.get(`${annotationsPath}9/`)).status === 404; poll += 1) {
        service.wait(2)
        if (poll === 10) {
          await service.with({ key: 'phx_old' }).post(annotationsPath, { content: 'Launch' })
        }
      }
    },
  },
  {
    client: 'drops the query of next, and reads the first page for ever',
    // It never reads a further page, either.
    mistakes: ['repeated-page', 'unread-pages'],
    options: { policies: { 'annotations.list.limit.default': 2 } },
    run: async ({ get, simulator }) => {
      for (let page = 0; page < 40; page += 1) {
        await get(annotationsPath)
        simulator.clock.advance({ milliseconds: 50 })
      }
    },
  },
  {
    client: 'follows next, or else previous, and so goes to and fro between the last two pages',
    mistakes: ['repeated-page'],
    run: async ({ get, simulator }) => {
      let link: string | null = `${annotationsPath}?limit=2`
      for (let page = 0; page < 40 && link; page += 1) {
        const { body } = await get(link)
        link = body.next ?? body.previous
        simulator.clock.advance({ milliseconds: 50 })
      }
    },
  },
  {
    client: 'takes the first page of plugins for all of them',
    mistakes: ['unread-pages'],
    options: { policies: { 'plugins.list.limit.default': 2 } },
    run: ({ get }) => get(`/api/organizations/${acme}/plugins/`),
  },
  {
    client: 'takes the first page without a limit for the whole list',
    mistakes: ['unread-pages'],
    options: { policies: { 'annotations.list.limit.default': 2 } },
    run: ({ get }) => get(annotationsPath),
  },
  {
    client: 'follows next once, as nobody has more than two pages, and misses the third',
    mistakes: ['unread-pages'],
    options: { policies: { 'annotations.list.limit.default': 2 } },
    run: async ({ get }) => get(String((await get(annotationsPath)).body.next)),
  },
  {
    client: 'asks for 200 rows at once, and adds 200 to the offset although 100 came',
    mistakes: ['page-arithmetic'],
    options: { world: many, policies: { 'lists.limit.maximum': '100' } },
    run: async ({ get }) => {
      for (let offset = 0, count = 1; offset < count; offset += 200) {
        count = (await get(`${annotationsPath}?limit=200&offset=${offset}`)).body.count
      }
    },
  },
  {
    client: 'takes 100 for the default limit, which is 50 here',
    mistakes: ['page-arithmetic'],
    options: { world: many, policies: { 'annotations.list.limit.default': 50 } },
    run: async ({ get }) => {
      for (let offset = 0, count = 1; offset < count; offset += 100) {
        count = (await get(`${annotationsPath}?offset=${offset}`)).body.count
      }
    },
  },
  {
    client: 'shows a row twice when one comes to the top between two pages, up to the last page',
    mistakes: ['repeated-row'],
    run: (service) => readWhile(service, () => writeFirst(service), 10),
  },
  {
    client: 'shows a row twice on “Load more”, and the user stops before the last page',
    mistakes: ['repeated-row'],
    run: (service) => readWhile(service, () => writeFirst(service), 1),
  },
  {
    client: 'never shows the row that moves to the first page when one is deleted there',
    mistakes: ['skipped-row'],
    run: (service) => readWhile(service, () => deleteFirst(service), 10),
  },
  {
    client: 'never shows a row although the count stays: one goes at the top, one comes at the end',
    mistakes: ['skipped-row'],
    run: (service) =>
      readWhile(
        service,
        async () => {
          await deleteFirst(service)
          const body = { date_marker: '2020-01-01T00:00:00Z', scope: 'project' }
          await service.with({ key: 'phx_old' }).post(annotationsPath, body)
        },
        10,
      ),
  },
  {
    client: 'reads all plugins by next, and takes a copy of each',
    mistakes: [],
    run: async ({ get }) => {
      const plugins = `/api/organizations/${acme}/plugins/`
      for (let next: string | null = `${plugins}?limit=3`; next; ) {
        const { body } = await get(next)
        for (const { id } of body.results) await get(`${plugins}${id}/`)
        next = body.next
      }
    },
  },
]

/** Reads pages of two rows without a look at what came before. Something happens after the first page. */
async function readWhile(
  { get }: Service,
  something: () => Promise<unknown>,
  morePages: number,
): Promise<void> {
  let { next } = (await get(`${annotationsPath}?limit=2`)).body
  await something()
  for (let page = 0; page < morePages && next; page += 1) next = (await get(next)).body.next
}

const writeFirst = (service: Service) =>
  service
    .with({ key: 'phx_old' })
    .post(annotationsPath, { date_marker: '2024-06-14T00:00:00Z', scope: 'project' })

const deleteFirst = (service: Service) =>
  service.with({ key: 'phx_old' }).patch(`${annotationsPath}5/`, { deleted: true })
