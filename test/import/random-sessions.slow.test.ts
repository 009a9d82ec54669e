import { expect, test } from 'vitest'
import { toReplaying } from '../../src/import/answers.ts'
import { importExchanges } from '../../src/import/import-exchanges.ts'
import { readHar } from '../../src/import/read-har.ts'
import { createSimulator, type Simulator, type SimulatorOptions } from '../../src/index.ts'
import { isRequestStep } from '../../src/scenarios/format/scenario.ts'
import { acme, annotationsPath } from '../support/api/paths.ts'
import { isLong } from '../support/long.ts'
import { createRandom, type Random } from '../support/random.ts'
import { initOf } from '../support/transports/client.ts'

// Laws about imports of random sessions of a client beside another one. Responses are lost, and bodies are missing.

const pluginsPath = `/api/organizations/${acme}/plugins/`

/** What an archive has: the requests of one client, also those of its walks through pages, or the requests of both. */
const kinds = ['one', 'pages', 'one', 'both'] as const
const seeds = [
  ...Array.from({ length: isLong ? 40 : 16 }, (_, index) => index + 1),
  // Of both writers. The last five once had a writer that the archive does not have.
  ...[1003, 1007, 1011, 1015, 1019, 1031, 1035, 1023, 1027, 1107, 2007, 2027],
]

/** What the service of a session is like. What a setting explains, nobody else did. */
const services: readonly SimulatorOptions[] = [
  {},
  { profile: 'live' },
  { settings: { 'annotations.deleted.visibility': 'listed' } },
  { settings: { 'annotations.restore': 'not_found' } },
  { settings: { 'plugins.create.required': 'url' } },
  { settings: { 'annotations.list.limit.default': 2 } },
]

/** Of the requests of all sessions, which a simulator answers by itself. The others have the recorded answer. */
const leastPercent = 95

type Request = readonly [method: string, path: string, body?: object]

/** Ids are those of the fixture `default`, of rows that the session may create, and of none. */
function chooseRead({ below, pick }: Random): Request {
  const page = `?limit=${pick([2, 3, 5, 100])}&offset=${pick([0, 0, 0, 2, 4])}`
  return pick<Request>([
    ['GET', annotationsPath],
    ['GET', annotationsPath + page],
    ['GET', `${annotationsPath + page}&search=${pick(['release', 'note', 'campaign', '7'])}`],
    ['GET', `${annotationsPath}${1 + below(14)}/`],
    ['GET', pluginsPath + page],
    ['GET', `${pluginsPath}${21 + below(8)}/`],
  ])
}

function choosePages({ pick }: Random): Request[] {
  const [list, limit] = [pick([annotationsPath, annotationsPath, pluginsPath]), pick([2, 3])]
  return [0, 1, 2, 3].map((page) => ['GET', `${list}?limit=${limit}&offset=${page * limit}`])
}

function chooseWrite({ below, pick }: Random): Request {
  const day = String(10 + below(20))
  const note = { content: `Note ${below(100)}`, date_marker: `2024-06-${day}T09:00:00Z` }
  const annotation = `${annotationsPath}${1 + below(14)}/`
  const plugin = `${pluginsPath}${21 + below(8)}/`
  return pick<Request>([
    ['POST', annotationsPath, note],
    ['POST', annotationsPath, { ...note, scope: pick(['project', 'organization']) }],
    ['PATCH', annotation, pick<object>([note, { content: note.content }])],
    ['PATCH', annotation, { deleted: pick([true, true, false]) }],
    ['DELETE', annotation],
    ['POST', pluginsPath, { name: `Plugin ${below(100)}`, plugin_type: 'source' }],
    ['PATCH', plugin, { description: note.content }],
    ['DELETE', plugin],
  ])
}

async function archiveOf(seed: number, kind: (typeof kinds)[number]) {
  const random = createRandom(seed)
  const { below, pick } = random
  const service = services[seed % services.length]
  const simulator = createSimulator({ clock: '2024-06-15T12:00:00Z', ...service })
  simulator.keys.issue({ value: 'phx_other', label: 'other', user: 2 })
  for (let count = 20 + below(12); count > 0; count--) {
    const hasPages = kind !== 'one' && below(6) === 0
    const single = below(5) < 2 ? chooseWrite(random) : chooseRead(random)
    for (const request of hasPages ? choosePages(random) : [single]) {
      simulator.clock.advance({ seconds: 1 + below(60) })
      if (below(2) === 0) await send(simulator, chooseWrite(random), 'phx_other')
      if (below(4) === 0) await send(simulator, chooseRead(random), 'phx_other')
      simulator.clock.advance({ seconds: 1 + below(60) })
      if (below(12) === 0) {
        const phase = pick(['before', 'after-commit'] as const)
        simulator.faults.add({ phase, when: { times: 1 }, effect: { drop: true } })
      }
      await send(simulator, request, 'phx_all')
    }
  }
  const har = simulator.journal.toHar(kind === 'both' ? {} : { key: 'all' })
  for (const entry of har.log.entries) {
    // The time that this machine took.
    entry.time = 80
    if (below(15) === 0) delete entry.response.content.text
  }
  return har
}

async function send(simulator: Simulator, [method, path, body]: Request, key: string) {
  await simulator.fetch(path, initOf(method, { key, body })).catch(() => 'lost')
}

const isEdit = (step: object): boolean => ['rows', 'update', 'delete'].some((name) => name in step)

/** How the requests of an imported session replay. */
async function importSession(seed: number) {
  const kind = kinds[seed % kinds.length] as (typeof kinds)[number]
  const { exchanges, baseUrl } = readHar(await archiveOf(seed, kind), 'a.har', undefined, {})
  const imported = await importExchanges(exchanges, { baseUrl }).catch((error: unknown) => {
    throw new Error(`The session of seed ${seed} is not imported.`, { cause: error })
  })
  const { scenario } = await toReplaying(imported, imported.scenario)
  const { steps } = await createSimulator().run(scenario)
  return {
    ...{ seed, kind, requests: scenario.steps.filter(isRequestStep).length },
    failed: scenario.steps.length - imported.scenario.steps.length,
    differing: steps.filter(({ outcome }) => outcome !== 'passed').length,
    // The archive has all that anybody wrote.
    invented: kind === 'both' ? imported.scenario.steps.filter(isEdit).length : 0,
  }
}

test('most requests of random sessions need no fault to replay, all do, and no writer is invented', async () => {
  const sessions: Awaited<ReturnType<typeof importSession>>[] = []
  for (const seed of seeds) sessions.push(await importSession(seed))

  const sum = (name: 'requests' | 'failed'): number =>
    sessions.reduce((all, session) => all + session[name], 0)
  const percent = 100 - (100 * sum('failed')) / sum('requests')
  expect(sessions.filter(({ differing, invented }) => differing + invented > 0)).toEqual([])
  expect(
    percent,
    sessions.map((session) => JSON.stringify(session)).join('\n'),
  ).toBeGreaterThanOrEqual(leastPercent)
})
