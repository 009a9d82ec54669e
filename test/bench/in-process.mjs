// Through setupServer and fetch: our handlers against static MSW handlers that answer the same bytes.
import { HttpResponse, http } from 'msw'
import { setupServer } from 'msw/node'
import { createSimulator } from '../../dist/index.js'
import { atMost, line, summary } from './measure.mjs'
import { worldOf } from './worlds.mjs'

const rounds = 15
const requests = 200
const one = '/api/projects/1/annotations/5/'
const all = '/api/projects/1/annotations/'
const operations = {
  list: { method: 'GET', path: `${all}?limit=100`, gate: atMost(1.3) },
  get: { method: 'GET', path: one, gate: atMost(1) },
  patch: { method: 'PATCH', path: one, body: '{"content":"changed"}', gate: atMost(1) },
  create: { method: 'POST', path: all, body: '{"content":"Launch"}', gate: atMost(1) },
}

export async function inProcess() {
  console.log('\nIn-process through setupServer, against a static MSW handler with the same bytes')
  const simulator = createSimulator({ world: worldOf(10_000), baseUrl: 'http://ours.test' })
  const results = []
  for (const [name, { gate, ...asked }] of Object.entries(operations)) {
    const sample = await simulator.fetch(asked.path, toInit(asked))
    const text = await sample.text()
    const init = { status: sample.status, headers: { 'content-type': 'application/json' } }
    const path = `http://static.test${asked.path.split('?')[0]}`
    const answer = http[asked.method.toLowerCase()](path, () => new HttpResponse(text, init))
    const server = setupServer(...simulator.handlers, answer)
    server.listen({ onUnhandledRequest: 'error' })
    const ratios = []
    for (let round = -2; round < rounds; round++) {
      const fixed = await microseconds('http://static.test', asked)
      const ours = await microseconds('http://ours.test', asked)
      if (round >= 0) ratios.push(ours / fixed)
    }
    server.close()
    results.push(line(name, summary(ratios), '×', gate))
  }
  return results.every(Boolean)
}

async function microseconds(origin, asked) {
  const start = performance.now()
  for (let index = 0; index < requests; index++) {
    const response = await fetch(origin + asked.path, toInit(asked))
    await response.text()
    if (!response.ok) throw new Error(`${asked.path} answered ${response.status}`)
  }
  return ((performance.now() - start) * 1000) / requests
}

function toInit({ method, body }) {
  return {
    method,
    headers: {
      authorization: 'Bearer phx_all',
      ...(body && { 'content-type': 'application/json' }),
    },
    ...(body && { body }),
  }
}
