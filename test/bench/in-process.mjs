// Through setupServer and fetch: our handlers against static MSW handlers that answer the same bytes.
import { HttpResponse, http } from 'msw'
import { setupServer } from 'msw/node'
import { createSimulator } from '../../dist/index.js'
import { atMost, line, number, summary } from './measure.mjs'
import { worldOf } from './worlds.mjs'

const warmUp = 3
const all = '/api/projects/1/annotations/'
/** `list` requests the same page again and again, `pages` another one each time. */
const operations = {
  list: { method: 'GET', path: () => `${all}?limit=100`, goal: atMost(1.3) },
  pages: {
    method: 'GET',
    path: (index, rows) => `${all}?limit=100&offset=${(index * 7919) % (rows - 100)}`,
    goal: atMost(1.3),
  },
  get: {
    method: 'GET',
    path: (index, rows) => `${all}${((index * 7919) % rows) + 1}/`,
    goal: atMost(1.3),
  },
  patch: {
    method: 'PATCH',
    path: (index, rows) => `${all}${((index * 7919) % rows) + 1}/`,
    body: (index) => JSON.stringify({ content: `changed ${index}` }),
    goal: atMost(1.3),
  },
  create: {
    method: 'POST',
    path: () => all,
    body: () => '{"content":"Launch","date_marker":"2024-06-01T09:00:00Z"}',
    goal: atMost(1.3),
  },
}

export async function inProcess({ rounds }) {
  const results = []
  for (const rows of [1_000, 100_000]) results.push(await atSize(rows, rounds * 2))
  return results.every(Boolean)
}

async function atSize(rows, rounds) {
  console.log(
    `\nIn-process through setupServer at ${rows.toLocaleString('en')} annotations: time against a static MSW handler with the same bytes`,
  )
  const simulator = createSimulator({ world: worldOf(rows), baseUrl: 'http://ours.test' })
  const results = []
  for (const [name, { goal, ...operation }] of Object.entries(operations)) {
    const sample = await simulator.fetch(operation.path(1, rows), toInit(operation, 0))
    const text = await sample.text()
    const init = { status: sample.status, headers: { 'content-type': 'application/json' } }
    // One path for all rows, as a static handler has it.
    const path = `http://static.test${operation
      .path(1, rows)
      .split('?')[0]
      .replace(/\d+\/$/, ':id/')}`
    const answer = http[operation.method.toLowerCase()](path, () => new HttpResponse(text, init))
    // Each alone: a handler behind those of the simulator would pay for being matched last.
    const servers = { static: setupServer(answer), ours: setupServer(...simulator.handlers) }
    const [ratios, cpuRatios] = [[], []]
    for (let round = -warmUp; round < rounds; round++) {
      const times = {}
      for (const [host, server] of Object.entries(servers)) {
        server.listen({ onUnhandledRequest: 'error' })
        times[host] = await timesOf(`http://${host}.test`, operation, rows, round + warmUp)
        server.close()
      }
      if (round < 0) continue
      ratios.push(times.ours.elapsed / times.static.elapsed)
      cpuRatios.push(times.ours.cpu / times.static.cpu)
    }
    const cpu = number(summary(cpuRatios).median)
    results.push(line(`${name} (CPU time ${cpu} ×)`, summary(ratios), '×', goal))
  }
  return results.every(Boolean)
}

const perRound = 200

async function timesOf(origin, operation, rows, round) {
  const [start, cpu] = [performance.now(), process.cpuUsage()]
  for (let index = round * perRound; index < (round + 1) * perRound; index++) {
    const path = operation.path(index, rows)
    const response = await fetch(origin + path, toInit(operation, index))
    await response.text()
    if (!response.ok) throw new Error(`${path} answered ${response.status}`)
  }
  const { user, system } = process.cpuUsage(cpu)
  return { elapsed: performance.now() - start, cpu: user + system }
}

function toInit({ method, body }, index) {
  return {
    method,
    headers: {
      authorization: 'Bearer phx_all',
      ...(body && { 'content-type': 'application/json' }),
    },
    ...(body && { body: body(index) }),
  }
}
