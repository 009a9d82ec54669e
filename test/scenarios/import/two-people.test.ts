import { expect, test } from 'vitest'
import { runWithoutSearch } from '../../../src/cli/scenario-simulator.ts'
import { createSimulator, type Simulator } from '../../../src/index.ts'
import { findClientMistakes } from '../../../src/mistakes/mistake-finder.ts'
import { countRows } from '../../../src/scenarios/import/expected-rows.ts'
import { importExchanges } from '../../../src/scenarios/import/import-exchanges.ts'
import { findIncident, type Incident } from '../../../src/scenarios/import/incident.ts'
import { readHar } from '../../../src/scenarios/import/read-har.ts'
import { annotationsPath as list } from '../../support/api/paths.ts'
import { initOf } from '../../support/transports/client.ts'

// An archive of an incident in which two people took part, or a client had to wait. Its test passes for each client that
// does it right, and fails for each that does it wrong, whatever requests they send.

const row = `${list}1/`
const launch = { content: 'Launch', scope: 'project', date_marker: '2024-06-20T00:00:00Z' }

/** Sends a request, and returns the body of its response. */
type Send = (method: string, path: string, body?: object) => Promise<Body>
/** A page, or a row. `status` is that of the response, and `wait` how many seconds it says to wait. */
interface Body {
  readonly status: number
  readonly wait: number
  readonly id: number
  readonly content: string
  readonly scope: string
  readonly count: number
  readonly next: string | null
  readonly results: readonly { readonly id: number; readonly content: string }[]
}
type Client = (send: Send, simulator: Simulator) => Promise<unknown>

function sender(simulator: Simulator, key: string): Send {
  return async (method, path, body) => {
    const response = await simulator.fetch(path, initOf(method, { key, body }))
    const text = await response.text()
    const [, wait = 0] = /in (\d+) second/.exec(text) ?? []
    return { ...JSON.parse(text || '{}'), status: response.status, wait: Number(wait) }
  }
}

interface Case {
  /** What was recorded: `mine` sends the requests of the client, and `theirs` those of somebody else */
  readonly recorded: (mine: Send, theirs: Send, simulator: Simulator) => Promise<unknown>
  readonly failure: string
  /** Whether the archive has the requests of both */
  readonly hasBoth?: boolean
  /** How long each request took, if one was sent each second */
  readonly ms?: number
  readonly correct: Readonly<Record<string, Client>>
  readonly wrong: Readonly<Record<string, Client>>
}

async function importIncident({ recorded, hasBoth, ms }: Case): Promise<Incident> {
  const service = createSimulator({ clock: { mode: 'ticking', now: '2024-06-15T12:00:00Z' } })
  service.keys.issue({ value: 'phx_theirs', label: 'theirs', user: 2 })
  const [mine, theirs] = [sender(service, 'phx_all'), sender(service, 'phx_theirs')]
  await recorded(mine, theirs, service)
  const har = service.journal.toHar(hasBoth ? {} : { key: 'all' })
  for (const [index, entry] of har.log.entries.entries()) {
    if (ms === undefined) continue
    entry.startedDateTime = new Date(Date.UTC(2024, 5, 15, 12) + index * 1_000).toISOString()
    entry.time = ms
  }
  const { exchanges, baseUrl } = readHar(har, 'incident.har', undefined, {})
  const { scenario, doubled } = await importExchanges(exchanges, { baseUrl }, runWithoutSearch)
  return findIncident(
    scenario,
    (...input) => createSimulator().run(...input),
    findClientMistakes,
    doubled,
  )
}

/** Whether a test of an incident passes for a client. */
async function passes(incident: Incident, client: Client): Promise<boolean> {
  const { scenario, faults, expectations, reached } = incident
  const { world, clock } = scenario
  const simulator = createSimulator({ world: world as object, ...(clock && { clock }) })
  for (const fault of faults) simulator.faults.add(fault)
  const { key: label } = incident.requests[0] as { key: string }
  const key = simulator.keys.list().find((one) => one.label === label)?.value as string
  await client(sender(simulator, key), simulator)
  return [...expectations, ...reached].every((expectation) => {
    if ('rows' in expectation)
      return countRows(expectation.rows, simulator.world) === expectation.rows.count
    if ('received' in expectation) return simulator.journal.verify(expectation.received).passed
    return simulator.journal.mistakes().every(({ rule }) => rule !== expectation.no_mistake)
  })
}

/** Reads pages by offsets that it computes. */
const computeOffsets =
  (limit: number): Client =>
  async (send) => {
    for (let offset = 0, count = 1; offset < count; offset += limit) {
      count = (await send('GET', `${list}?limit=${limit}&offset=${offset}`)).count
    }
  }

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

const readers = {
  correct: {
    'starts again if the count is another one': followLinks(({ count }, _, last) => count !== last),
    'starts again if the count or a row tells': followLinks(
      ({ count, results }, ids, last) => count !== last || results.some(({ id }) => ids.has(id)),
    ),
    'reads one page with all rows': (send) => send('GET', `${list}?limit=100`),
    'needs the first page only': (send) => send('GET', `${list}?limit=2`),
    'searches for the row': (send) => send('GET', `${list}?search=Release`),
    'reads the rows by their ids': async (send) => {
      for (const id of [1, 2, 3, 4]) await send('GET', `${list}${id}/`)
    },
    'reads one large page after it saw that rows moved': async (send, simulator) => {
      await followLinks(({ count }, _, last) => count !== last)(send, simulator)
      await send('GET', `${list}?limit=100`)
    },
  },
  wrong: {
    'computes offsets': computeOffsets(2),
    'computes offsets of longer pages': computeOffsets(3),
    'follows links, and starts never again': followLinks(() => false),
    'follows links, and looks at the rows of the last page only': async (send) => {
      let next: string | null = `${list}?limit=2`
      while (next !== null) next = (await send('GET', next)).next
      await send('GET', `${list}?limit=2&offset=4`)
    },
  },
} satisfies Pick<Case, 'correct' | 'wrong'>

async function readPages(mine: Send, meanwhile: () => Promise<unknown>): Promise<void> {
  await mine('GET', `${list}?limit=2`)
  await meanwhile()
  await mine('GET', `${list}?limit=2&offset=2`)
  await mine('GET', `${list}?limit=2&offset=4`)
  await mine('GET', `${list}?limit=2&offset=6`)
}

const none = { failure: '', correct: {}, wrong: {} }
const renamed = { content: 'Renamed' }

const cases: Readonly<Record<string, Case>> = {
  'a row that somebody inserted between two pages': {
    recorded: (mine, theirs) => readPages(mine, () => theirs('POST', list, launch)),
    failure: 'repeated row',
    ...readers,
  },
  'a row that somebody deleted between two pages': {
    recorded: (mine, theirs) =>
      readPages(mine, async () => {
        const { results } = await theirs('GET', `${list}?limit=1`)
        await theirs('PATCH', `${list}${results[0]?.id}/`, { deleted: true })
      }),
    failure: 'skipped row',
    ...readers,
  },
  'a row that somebody deleted between two pages, in the archive of both': {
    hasBoth: true,
    recorded: (mine, theirs) =>
      readPages(mine, () => theirs('PATCH', `${list}4/`, { deleted: true })),
    failure: 'skipped row',
    ...readers,
  },
  'two people who edited a row': {
    hasBoth: true,
    recorded: async (mine, theirs) => {
      const { scope } = await mine('GET', row)
      await theirs('PATCH', row, { scope: 'organization' })
      await mine('PATCH', row, { ...renamed, scope })
      await mine('GET', row)
    },
    failure: 'undone change',
    correct: {
      'sends what the user changed': async (send) => {
        await send('GET', row)
        await send('PATCH', row, renamed)
      },
      'finds the row in the list': async (send) => {
        await send('GET', list)
        await send('PATCH', row, renamed)
      },
      'sends it without a look': (send) => send('PATCH', row, renamed),
      'reads the row again before it sends the whole': async (send) => {
        await send('GET', row)
        const { scope } = await send('GET', row)
        await send('PATCH', row, { ...renamed, scope })
      },
      'sends it twice': async (send) => {
        await send('GET', row)
        await send('PATCH', row, renamed)
        await send('PATCH', row, renamed)
      },
      'looks at the row afterwards': async (send) => {
        await send('GET', row)
        await send('PATCH', row, renamed)
        await send('GET', row)
      },
    },
    wrong: {
      'sends all fields that it read': async (send) => {
        const { scope } = await send('GET', row)
        await send('PATCH', row, { ...renamed, scope })
      },
      'sends all fields of the row in the list': async (send) => {
        const { results } = await send('GET', list)
        const { id: _, ...fields } = results.find(({ id }) => id === 1) as never as Body
        await send('PATCH', row, { scope: fields.scope, ...renamed })
      },
      'sends the field that the other one changed first': async (send) => {
        const { scope } = await send('GET', row)
        await send('PATCH', row, { scope })
        await send('PATCH', row, renamed)
      },
      'reads the row again, and ignores it': async (send) => {
        const { scope } = await send('GET', row)
        await send('GET', row)
        await send('PATCH', row, { ...renamed, scope })
      },
      'sees the change in the list, and ignores it': async (send) => {
        const { scope } = await send('GET', row)
        await send('GET', list)
        await send('PATCH', row, { ...renamed, scope })
      },
      'sends everything twice': async (send) => {
        const { scope } = await send('GET', row)
        await send('PATCH', row, { ...renamed, scope })
        await send('PATCH', row, { ...renamed, scope })
      },
    },
  },
  'a wait that the client ignored': {
    recorded: async (mine, _, service) => {
      await mine('GET', row)
      const detail = 'Request was throttled. Expected available in 20 seconds.'
      const body = { type: 'throttled_error', code: 'throttled', detail, attr: null }
      service.faults.add({ when: { times: 3 }, effect: { status: 429, body } })
      for (let tries = 0; tries < 3; tries += 1) {
        await mine('GET', list)
        service.clock.advance({ seconds: 1 })
      }
    },
    failure: 'early retry',
    correct: {
      'waits as told': async (send, { clock }) => {
        await send('GET', row)
        const { wait } = await send('GET', list)
        clock.advance({ seconds: wait })
        await send('GET', list)
      },
      'waits longer': async (send, { clock }) => {
        await send('GET', row)
        await send('GET', list)
        clock.advance({ seconds: 60 })
        await send('GET', list)
      },
      'waits before it sends anything': async (send, { clock }) => {
        clock.advance({ seconds: 60 })
        await send('GET', row)
        const { wait } = await send('GET', list)
        clock.advance({ seconds: wait })
        await send('GET', list)
      },
      'reads something else meanwhile': async (send, { clock }) => {
        await send('GET', row)
        const { wait } = await send('GET', list)
        await send('GET', row)
        clock.advance({ seconds: wait })
        await send('GET', list)
      },
      'reads the list twice after the wait': async (send, { clock }) => {
        await send('GET', row)
        const { wait } = await send('GET', list)
        clock.advance({ seconds: wait })
        await send('GET', list)
        await send('GET', list)
      },
      'tries up to three times, and waits each time': async (send, { clock }) => {
        await send('GET', row)
        for (let tries = 0; tries < 3; tries += 1) {
          const { status, wait } = await send('GET', list)
          if (status === 200) break
          clock.advance({ seconds: wait })
        }
      },
    },
    wrong: {
      'repeats it at once': async (send) => {
        for (let tries = 0; tries < 3; tries += 1) await send('GET', list)
      },
      'waits a second': async (send, { clock }) => {
        for (let tries = 0; tries < 3; tries += 1) {
          await send('GET', list)
          clock.advance({ seconds: 1 })
        }
      },
      'waits as told after it tried at once': async (send, { clock }) => {
        await send('GET', list)
        const { wait } = await send('GET', list)
        clock.advance({ seconds: wait })
        await send('GET', list)
      },
      'gives up': (send) => send('GET', list),
    },
  },
  'a button that was pressed twice': {
    ms: 1_500,
    recorded: async (mine) => {
      await mine('GET', list)
      await mine('POST', list, launch)
      await mine('POST', list, launch)
      await mine('GET', list)
    },
    failure: 'sent twice, which made a duplicate',
    correct: {
      'creates it once': (send) => send('POST', list, launch),
      'looks, and creates it once': async (send) => {
        await send('GET', list)
        await send('POST', list, launch)
      },
      'looks before each create': async (send) => {
        for (let press = 0; press < 2; press += 1) {
          const { results } = await send('GET', list)
          if (!results.some(({ content }) => content === 'Launch')) await send('POST', list, launch)
        }
      },
      'searches before each create': async (send) => {
        for (let press = 0; press < 2; press += 1) {
          const { count } = await send('GET', `${list}?search=Launch`)
          if (count === 0) await send('POST', list, launch)
        }
      },
      'creates it twice, and removes the second': async (send) => {
        await send('POST', list, launch)
        const { id } = await send('POST', list, launch)
        await send('PATCH', `${list}${id}/`, { deleted: true })
      },
      'changes the row that it has created': async (send) => {
        const { id } = await send('POST', list, launch)
        await send('PATCH', `${list}${id}/`, launch)
      },
    },
    wrong: {
      'creates it twice': async (send) => {
        await send('POST', list, launch)
        await send('POST', list, launch)
      },
      'creates both at once': (send) =>
        Promise.all([send('POST', list, launch), send('POST', list, launch)]),
      'looks, and creates it twice': async (send) => {
        await send('GET', list)
        await send('POST', list, launch)
        await send('POST', list, launch)
      },
      'looks after the second create only': async (send) => {
        await send('POST', list, launch)
        await send('POST', list, launch)
        await send('GET', list)
      },
    },
  },
}

const judged = Object.entries(cases).flatMap(([name, one]) => [
  ...Object.entries(one.correct).map(([how, client]) => ({ name, how, client, one, right: true })),
  ...Object.entries(one.wrong).map(([how, client]) => ({ name, how, client, one, right: false })),
])

test.each(Object.entries(cases))(
  '%s: the archive replays, and its failure is named',
  async (_name, one) => {
    const { expectations, result } = await importIncident(one)

    const failures = expectations.map(({ failure }) => failure).join(', ')
    expect([failures, result.passed]).toEqual([expect.stringContaining(one.failure), true])
  },
)

test.each(judged)('after $name, a client that $how: $right', async ({ one, client, right }) => {
  expect(await passes(await importIncident(one), client)).toBe(right)
})

test.each([
  [100, []],
  [1_500, [{ operation: 'createAnnotation', when: { times: 1 }, effect: { delay_ms: 250 } }]],
])(
  'the first of two equal creates is open for a second click if it was: %i ms',
  async (ms, delays) => {
    const recorded = async (mine: Send) => {
      for (let press = 0; press < 2; press += 1) await mine('POST', list, launch)
    }

    const { title, faults } = await importIncident({ ...none, ms, recorded })

    expect(title).toBe('Create annotation: sent twice, which made a duplicate')
    expect(faults).toEqual(delays)
  },
)

test.each<[rows: string, recorded: (mine: Send) => Promise<unknown>]>([
  [
    'three at once',
    async (mine) => {
      for (let time = 0; time < 3; time += 1) await mine('POST', list, launch)
    },
  ],
  [
    'two drafts that get a content later',
    async (mine) => {
      const { id } = await mine('POST', list, launch)
      await mine('PATCH', `${list}${id}/`, { content: 'One' })
      const other = await mine('POST', list, launch)
      await mine('PATCH', `${list}${other.id}/`, { content: 'Two' })
    },
  ],
])('equal creates are rows that the client wanted: %s', async (_rows, recorded) => {
  const { expectations } = await importIncident({ ...none, ms: 900, recorded })

  expect(expectations).toEqual([])
})
