import { expect, test } from 'vitest'
import { importExchanges } from '../../src/import/import-exchanges.ts'
import type { Incident } from '../../src/import/incident.ts'
import { readHar } from '../../src/import/read-har.ts'
import { createSimulator, type Simulator } from '../../src/index.ts'
import { annotationsPath as list } from '../support/api/paths.ts'
import { incidentOf } from './derive.ts'
import {
  type Body,
  type Client,
  type Clients,
  createsIfMissing,
  judged,
  once,
  passes,
  type Request,
  type Send,
  sender,
  sends,
} from './judge.ts'

// An archive of an incident in which two people took part, or a client had to wait. Its test passes for each client that
// does it right, and fails for each that does it wrong, whatever requests they send.

const row = `${list}1/`
const launch = { content: 'Launch', scope: 'project', date_marker: '2024-06-20T00:00:00Z' }
const create: Request = ['POST', list, launch]
const look: Request = ['GET', list]
const read: Request = ['GET', row]
const rename: Request = ['PATCH', row, { content: 'Renamed' }]

interface Case extends Clients {
  /** What was recorded: `mine` sends the requests of the client, and `theirs` those of somebody else */
  readonly recorded: (mine: Send, theirs: Send, simulator: Simulator) => Promise<unknown>
  readonly failure: string
  /** Whether the archive has the requests of both */
  readonly hasBoth?: boolean
  /** How long each request took, if one was sent each 1.5 seconds */
  readonly ms?: number
}

async function importIncident({
  recorded,
  hasBoth,
  ms,
}: Pick<Case, 'recorded' | 'hasBoth' | 'ms'>): Promise<Incident> {
  const service = createSimulator({ clock: { mode: 'ticking', now: '2024-06-15T12:00:00Z' } })
  service.keys.issue({ value: 'phx_theirs', label: 'theirs', user: 2 })
  await recorded(sender(service), sender(service, 'phx_theirs'), service)
  const har = service.journal.toHar(hasBoth ? {} : { key: 'all' })
  for (const [index, entry] of har.log.entries.entries()) {
    if (ms === undefined) continue
    entry.startedDateTime = new Date(Date.UTC(2024, 5, 15, 12) + index * 1_500).toISOString()
    entry.time = ms
  }
  const { exchanges, baseUrl } = readHar(har, 'incident.har', undefined, {})
  const { scenario, doubled } = await importExchanges(exchanges, { baseUrl })
  return incidentOf(scenario, doubled)
}

const imported = once(importIncident)

const pages = (limit: number, ...offsets: readonly number[]) =>
  offsets.map((offset): Request => ['GET', `${list}?limit=${limit}&offset=${offset}`])

/** Follows links. @param isMoved whether to start again */
const followLinks =
  (isMoved: (page: Body, ids: Set<number>, count: number) => boolean): Client =>
  async (send) => {
    for (let tries = 0; tries < 4; tries += 1) {
      const ids = new Set<number>()
      let [next, count, hasMoved]: [string | null, number, boolean] = [`${list}?limit=2`, -1, false]
      while (next !== null && !hasMoved) {
        const page: Body = await send('GET', next)
        hasMoved = count >= 0 && isMoved(page, ids, count)
        for (const { id } of page.results) ids.add(id)
        count = page.count
        next = page.next
      }
      if (!hasMoved) return
    }
  }

const readers: Clients = {
  correct: {
    'starts again if the count is another one': followLinks(({ count }, _, last) => count !== last),
    'starts again if the count or a row tells': followLinks(
      ({ count, results }, ids, last) => count !== last || results.some(({ id }) => ids.has(id)),
    ),
    'reads one page with all rows': sends(...pages(100, 0)),
    'needs the first page only': sends(...pages(2, 0)),
    'searches for the row': sends(['GET', `${list}?search=Release`]),
    'reads the rows by their ids': sends(
      ...[1, 2, 3, 4].map((id): Request => ['GET', `${list}${id}/`]),
    ),
    'reads one large page after it saw that rows moved': async (send, simulator) => {
      await followLinks(({ count }, _, last) => count !== last)(send, simulator)
      await send('GET', `${list}?limit=100`)
    },
  },
  wrong: {
    'computes offsets': sends(...pages(2, 0, 2, 4, 6)),
    'looks at the newest row twice before': sends(...pages(1, 0, 0), ...pages(2, 0, 2, 4, 6)),
    'reads the first page twice': sends(...pages(2, 0, 0, 2, 4, 6)),
    'reads two pages only, and the first one twice': sends(...pages(2, 0, 0, 2)),
    'follows links, and starts never again': followLinks(() => false),
    'follows links, and looks at the rows of the last page only': async (send, simulator) => {
      await followLinks(() => false)(send, simulator)
      await send('GET', `${list}?limit=2&offset=4`)
    },
  },
}

async function readPages(mine: Send, meanwhile: () => Promise<unknown>): Promise<void> {
  const [first, ...others] = pages(2, 0, 2, 4, 6) as [Request, ...Request[]]
  await mine(...first)
  await meanwhile()
  for (const page of others) await mine(...page)
}

/** Sends the scope that a read showed, as part of the whole row. @param between requests after that read */
const undoes =
  (...between: readonly Request[]): Client =>
  async (send) => {
    const { scope } = await send(...read)
    for (const request of between) await send(...request)
    await send('PATCH', row, { content: 'Renamed', scope })
  }

/** Reads a list, and once more after a wait. @param seconds null for what the response says */
const waits =
  (seconds: number | null): Client =>
  async (send, { clock }) => {
    const { wait } = await send(...look)
    clock.advance({ seconds: seconds ?? wait })
    await send(...look)
  }

const cases: Readonly<Record<string, Case>> = {
  'a row that somebody inserted between two pages': {
    recorded: (mine, theirs) => readPages(mine, () => theirs(...create)),
    failure: 'came on two pages',
    ...readers,
  },
  'a row that somebody deleted between two pages, and that the client read later': {
    recorded: async (mine, theirs) => {
      await readPages(mine, () => theirs('PATCH', `${list}5/`, { deleted: true }))
      await mine(...read)
    },
    failure: 'missed a row between two pages',
    ...readers,
  },
  'a row that somebody deleted between two pages, in the archive of both': {
    hasBoth: true,
    recorded: (mine, theirs) =>
      readPages(mine, () => theirs('PATCH', `${list}4/`, { deleted: true })),
    failure: 'missed a row between two pages',
    ...readers,
  },
  'two people who edited a row': {
    hasBoth: true,
    recorded: async (mine, theirs) => {
      const { scope } = await mine(...read)
      await theirs('PATCH', row, { scope: 'organization' })
      await mine('PATCH', row, { content: 'Renamed', scope })
      await mine(...read)
    },
    failure: 'The update sets scope',
    correct: {
      'sends what the user changed': sends(read, rename),
      'finds the row in the list': sends(look, rename),
      'sends it without a look': sends(rename),
      'sends it twice': sends(read, rename, rename),
      'reads the row twice, and sends what the user changed': sends(read, read, rename),
      'looks at the row afterwards': sends(read, rename, read),
      'reads the row again before it sends the whole': async (send, simulator) => {
        await send(...read)
        await undoes()(send, simulator)
      },
    },
    wrong: {
      'sends all fields that it read': undoes(),
      'sends all fields of the row in the list': async (send) => {
        const { results } = await send(...look)
        const { scope } = results.find(({ id }) => id === 1) as Body
        await send('PATCH', row, { content: 'Renamed', scope })
      },
      'sends the field that the other one changed first': async (send) => {
        const { scope } = await send(...read)
        await send('PATCH', row, { scope })
        await send(...rename)
      },
      'reads the row again, and ignores it': undoes(read),
      'sees the change in the list, and ignores it': undoes(look),
      'sends everything twice': async (send) => {
        const { scope } = await send(...read)
        for (const _ of [1, 2]) await send('PATCH', row, { content: 'Renamed', scope })
      },
    },
  },
  'a wait that the client ignored': {
    recorded: async (mine, _, service) => {
      await mine(...read)
      // Only this header obliges a client to wait: without it, the test is about the refused request.
      const headers = { 'retry-after': '20' }
      const effect = { error: 'throttled', retry_after_s: 20, headers } as const
      service.faults.add({ when: { times: 3 }, effect })
      for (let tries = 0; tries < 3; tries += 1) {
        await mine(...look)
        service.clock.advance({ seconds: 1 })
      }
    },
    failure: 'The client did not wait',
    correct: {
      'waits as told': waits(null),
      'waits longer': waits(60),
      'waits before it sends anything': async (send, simulator) => {
        simulator.clock.advance({ seconds: 60 })
        await send(...read)
        await waits(null)(send, simulator)
      },
      'reads something else meanwhile': async (send, { clock }) => {
        const { wait } = await send(...look)
        await send(...read)
        clock.advance({ seconds: wait })
        await send(...look)
      },
      'reads the list twice after the wait': async (send, simulator) => {
        await waits(null)(send, simulator)
        await send(...look)
      },
    },
    wrong: {
      'repeats it at once': sends(look, look, look),
      'waits a second': async (send, simulator) => {
        await waits(1)(send, simulator)
        await send(...look)
      },
      'waits as told after it tried at once': async (send, simulator) => {
        await send(...look)
        await waits(null)(send, simulator)
      },
      'gives up': sends(look),
    },
  },
  'a button that was pressed twice': {
    ms: 1_500,
    recorded: (mine, _, service) => sends(look, create, create, look)(mine, service),
    failure: 'sent twice, which made a duplicate',
    correct: {
      'creates it once': sends(create),
      'looks, and creates it once': sends(look, create),
      'looks before each create': async (send, simulator) => {
        for (const _ of [1, 2]) await createsIfMissing(list, create)(send, simulator)
      },
      'creates it twice, and removes the second': async (send) => {
        await send(...create)
        const { id } = await send(...create)
        await send('PATCH', `${list}${id}/`, { deleted: true })
      },
      'changes the row that it has created': async (send) => {
        const { id } = await send(...create)
        await send('PATCH', `${list}${id}/`, launch)
      },
    },
    wrong: {
      'creates it twice': sends(create, create),
      'creates both at once': (send) => Promise.all([send(...create), send(...create)]),
      'looks, and creates it twice': sends(look, create, create),
      'looks after the second create only': sends(create, create, look),
    },
  },
}

test.each(Object.entries(cases))(
  '%s: the archive replays, and its failure is named',
  async (_name, incident) => {
    const { broken, result } = await imported(incident)

    const failures = broken.map(({ failure }) => failure).join(', ')
    expect([failures, result.passed]).toEqual([expect.stringContaining(incident.failure), true])
  },
)

test.each(judged(cases))(
  'after $name, a client that $how: $right',
  async ({ incident, client, right }) => {
    expect(await passes(await imported(incident), client)).toBe(right)
  },
)

test.each([
  [100, []],
  [2_000, [{ operation: 'createAnnotation', when: { times: 1 }, effect: { delay_ms: 250 } }]],
])(
  'the first of two equal creates is open for a second click if it was: %i ms',
  async (ms, delays) => {
    const recorded: Case['recorded'] = (mine, _, service) => sends(create, create)(mine, service)

    const { title, test } = await importIncident({ ms, recorded })

    expect(title).toBe('Create annotation: sent twice, which made a duplicate')
    expect(test.faults).toEqual(delays)
  },
)

test.each<[rows: string, recorded: Case['recorded']]>([
  ['one of each', async (mine, theirs) => [await mine(...create), await theirs(...create)]],
  ['three at once', (mine, _, service) => sends(create, create, create)(mine, service)],
  [
    'two at once, which the client removes both',
    async (mine) => {
      const rows = [await mine(...create), await mine(...create)]
      for (const { id } of rows) await mine('PATCH', `${list}${id}/`, { deleted: true })
    },
  ],
  [
    'two drafts that get a content later',
    async (mine) => {
      for (const content of ['One', 'Two']) {
        const { id } = await mine(...create)
        await mine('PATCH', `${list}${id}/`, { content })
      }
    },
  ],
])('equal creates are rows that the client wanted: %s', async (_rows, recorded) => {
  expect((await importIncident({ ms: 900, hasBoth: true, recorded })).test.expect).toEqual([])
})
