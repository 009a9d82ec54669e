// Runs in a project: CPU time of requests through fetch, as JSON: of each operation in withSimulator, and of a static
// handler with the same bytes in setupServer.
import { HttpResponse, http } from 'msw'
import { setupServer } from 'msw/node'
import { createSimulator } from 'understudy-api'
import { withSimulator } from 'understudy-api/node'

const origin = 'https://app.example.com'
const all = '/api/projects/1/annotations/'
const operations = {
  list: { method: 'GET', path: `${all}?limit=100`, pattern: all },
  get: { method: 'GET', path: `${all}1/`, pattern: `${all}:id/` },
  patch: {
    method: 'PATCH',
    path: `${all}1/`,
    pattern: `${all}:id/`,
    body: '{"content":"Changed"}',
  },
  create: { method: 'POST', path: all, pattern: all, body: '{"content":"Launch"}' },
}
const rounds = Number(process.argv[2] ?? 5)
const perRound = 200
const warmUp = 2

const toInit = ({ method, body }) => ({
  method,
  headers: { authorization: 'Bearer phx_all', ...(body && { 'content-type': 'application/json' }) },
  ...(body && { body }),
})

/** @returns microseconds of CPU time for each request */
async function costOf(operation, count) {
  const start = process.cpuUsage()
  for (let index = 0; index < count; index++) {
    const response = await fetch(origin + operation.path, toInit(operation))
    await response.text()
    if (!response.ok) throw new Error(`${operation.path} answered ${response.status}`)
  }
  const { user, system } = process.cpuUsage(start)
  return (user + system) / count
}

const results = {}
for (const [name, operation] of Object.entries(operations)) {
  const sample = await createSimulator().fetch(operation.path, toInit(operation))
  const text = await sample.text()
  const init = { status: sample.status, headers: { 'content-type': 'application/json' } }
  const method = operation.method.toLowerCase()
  const server = setupServer(
    http[method](origin + operation.pattern, () => new HttpResponse(text, init)),
  )
  const costs = { setupServer: [], withSimulator: [] }
  for (let round = -warmUp; round < rounds; round++) {
    server.listen({ onUnhandledRequest: 'error', onUnhandledFrame: 'error' })
    const beside = await costOf(operation, perRound)
    server.close()
    const ours = await withSimulator(() => costOf(operation, perRound))
    if (round < 0) continue
    costs.setupServer.push(beside)
    costs.withSimulator.push(ours)
  }
  results[name] = costs
}
console.log(JSON.stringify(results))
process.exit()
