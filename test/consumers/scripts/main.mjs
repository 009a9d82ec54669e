// understudy-api: through setupServer and fetch, and without either.
import { getResponse } from 'msw'
import { setupServer } from 'msw/node'
import { createSimulator, settings, UsageError } from 'understudy-api'

const simulator = createSimulator({ clock: '2024-06-15T12:00:00Z' })
const server = setupServer(...simulator.handlers)
server.listen({ onUnhandledRequest: 'error', onUnhandledFrame: 'error' })

const { key, project_id } = simulator.defaults
const address = `https://app.example.com/api/projects/${project_id}/annotations/`
const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }

const page = await (await fetch(address, { headers })).json()
const created = await fetch(address, { method: 'POST', headers, body: '{"content":"Größer 🦔"}' })
const removed = await fetch(`${address}1/`, { method: 'DELETE', headers })
const head = await fetch(address, { method: 'HEAD', headers })
const bare = await getResponse(simulator.handlers, new Request(`${address}1/`, { headers }))
const unhandled = await fetch('https://app.example.com/api/users').catch((error) => error)
server.close()

console.log(
  JSON.stringify({
    count: page.count,
    created: [created.status, (await created.json()).content],
    removed: [removed.status, removed.headers.get('allow')],
    head: head.status,
    bare: bare?.status,
    isUnhandledRefused: unhandled instanceof Error,
    rows: simulator.world.annotations.count,
    hasSettings: Object.keys(settings).length > 30,
    refusal: refusalOf(() => createSimulator({ profile: 'lvie' })),
  }),
)

function refusalOf(create) {
  try {
    return create()
  } catch (error) {
    return error instanceof UsageError && error.message
  }
}
