import { expect, test } from 'vitest'
import type { Comparison } from '../../src/compare/comparison.ts'
import {
  otherValues,
  type SettingId,
  type SettingValues,
  settingIds,
} from '../../src/settings/setting.ts'
import type { Simulator } from '../../src/simulator/simulator.ts'
import { tryParseJson } from '../../src/utils/json.ts'
import { probes } from '../every/setting-probes.ts'
import { isLong } from '../support/long.ts'
import { createRandom } from '../support/random.ts'
import { initOf } from '../support/transports/client.ts'
import { allKeys, compareServer, createServer, foundIn, ownRows, wrongIn } from './own-server.ts'
import { someSettings } from './random-settings.ts'

// Laws about servers with random settings that word their errors in seven ways: no value that is found is wrong, no
// sentence is untrue, no row is left, and nearly all that can be seen is found.

/** Half of them have no body in errors about keys. LONG tries all. */
const seeds = Array.from({ length: 50 }, (_, seed) => seed).filter(
  (seed) => isLong || seed % 8 === 1,
)

/** Of the values that responses to the requests of a comparison can show. */
const leastPercent = 97

/** What no comparison can see: it upgrades no plugin of others, and puts no key into an address. */
const unseen: readonly SettingId[] = ['plugins.upgrade.effect', 'keys.places']

/** The body of an error: its words, its status, and the path of the request. */
type Style = (words: string, status: number, path: string) => unknown

const styles: Readonly<Record<string, Style | null>> = {
  'those of the service': null,
  'a message': (message) => ({ message }),
  'an object in an object': (message, code) => ({ error: { code, message } }),
  'the status and the path': (error, status, path) => ({ timestamp: 1, status, error, path }),
  'a list': (detail) => ({ errors: [{ detail }] }),
  nothing: () => undefined,
  'an HTML page': (words) => `<html><body>${words}</body></html>`,
}

/** The same response, but for the body of an error. */
async function withError(
  response: Response,
  write: (words: string, status: number) => unknown,
): Promise<Response> {
  const { status } = response
  const text = await response.text()
  if (text === '') return new Response(null, response)
  const { detail = text } = Object(tryParseJson(text)?.value)
  const body = write(String(detail), status)
  const headers = new Headers(response.headers)
  for (const name of ['content-type', 'content-length']) headers.delete(name)
  if (body !== undefined)
    headers.set('content-type', typeof body === 'string' ? 'text/html' : 'application/json')
  const sent = typeof body === 'string' || body === undefined ? body : JSON.stringify(body)
  return new Response(sent ?? null, { status, headers })
}

async function compareRandom(seed: number) {
  const names = Object.keys(styles)
  const [style, isEmpty] = [names[seed % names.length] as string, seed % 2 === 1]
  const write = styles[style]
  const settings = someSettings(createRandom(seed), 20)
  const server = createServer({ ...settings, ...(write && { 'errors.body': 'envelope' }) })
  const statuses: number[] = []
  const fetch: Simulator['fetch'] = async (input, init) => {
    const response = await server.fetch(input, init)
    const { status } = response
    statuses.push(status)
    if (!write || status < 400) return response
    const { pathname } = new URL(String(input), 'http://localhost')
    const isAboutKeys = status === 401 || status === 403
    return withError(response, (words) =>
      isEmpty && isAboutKeys ? undefined : write(words, status, pathname),
    )
  }
  const comparison = await compareServer({ fetch }, allKeys)
  const { 'errors.body': own, ...values } = server.settings.values
  const form =
    write === null
      ? own
      : style === 'nothing'
        ? 'empty'
        : !isEmpty && style === 'an HTML page' && 'html'
  const truth = { ...values, ...(form && { 'errors.body': form }) }
  const visible = (await visibleOf(server.settings.values)).filter((id) => id in truth)
  const decided = foundIn(comparison)
  return {
    ...{ seed, style, isEmpty },
    wrong: wrongIn(comparison, truth),
    untrue: untrueIn(comparison, truth, statuses),
    left: ownRows(server),
    visible: visible.length,
    missed: visible.filter((id) => !(id in decided)),
  }
}

/** The settings that a client of theirs can tell: each other value changes a response to it. */
async function visibleOf(values: SettingValues): Promise<SettingId[]> {
  const visible: SettingId[] = []
  for (const id of settingIds) {
    const own = await responsesTo(id, values)
    const value = values[id]
    const numbers = typeof value === 'number' ? { [id]: [value + 1] } : {}
    const others = unseen.includes(id) ? [] : otherValues([id], values, numbers)
    const changed = await Promise.all(
      others.map(({ value }) => responsesTo(id, { ...values, [id]: value })),
    )
    if (changed.length > 0 && !changed.includes(own)) visible.push(id)
  }
  return visible
}

async function responsesTo(id: SettingId, values: SettingValues): Promise<string> {
  const server = createServer(values)
  const responses: unknown[] = []
  for (const [method, path, options = {}] of probes[id].spent ? [] : probes[id].steps) {
    const init = initOf(method, { key: 'phx_all', ...options })
    const response = await server.fetch(path, init)
    responses.push([response.status, [...response.headers], await response.text()])
  }
  return JSON.stringify(responses)
}

/** The sentences about settings that the statuses of a server, or its values, contradict. */
function untrueIn(
  { settings, requests }: Comparison,
  truth: Readonly<Record<string, string | number>>,
  statuses: readonly number[],
): string[] {
  const has405 = statuses.includes(405)
  const untrue = settings.filter(
    ({ id, open }) =>
      (open?.word === 'no_405' && open.sentence.startsWith('No 405 has') !== has405) ||
      (open?.word === 'none_fits' && id in truth) ||
      (open?.word === 'several_fit' &&
        id in truth &&
        !open.sentence
          .split(/ fits?\b/, 1)[0]
          ?.split(/, | and /)
          .includes(String(truth[id]))),
  )
  const sentences = untrue.map(({ id, open }) => `${id}: ${open?.sentence}`)
  return requests === statuses.length ? sentences : [...sentences, `${requests} requests`]
}

test('comparisons of random servers are true, and find nearly all that can be seen', async () => {
  const servers: Awaited<ReturnType<typeof compareRandom>>[] = []
  for (const seed of seeds) servers.push(await compareRandom(seed))

  const table = servers.map((server) => JSON.stringify(server)).join('\n')
  const clean = servers.map(({ wrong, untrue, left }) => ({ wrong, untrue, left }))
  expect(clean, table).toEqual(seeds.map(() => ({ wrong: {}, untrue: [], left: [] })))
  const visible = servers.reduce((sum, server) => sum + server.visible, 0)
  const missed = servers.reduce((sum, server) => sum + server.missed.length, 0)
  expect(100 - (100 * missed) / visible, table).toBeGreaterThanOrEqual(leastPercent)
})
