// understudy-api/node: over HTTP, with a handler of the project before the API.
import { HttpResponse, http } from 'msw'
import { createSimulator } from 'understudy-api'
import { fixtureNames, listen, readWorld } from 'understudy-api/node'

const simulator = createSimulator({ world: await readWorld('odd') })
const mine = http.get('*/api/mine', () => HttpResponse.json('mine'))
const { url, close } = await listen(simulator, { handlers: [mine], onError: console.error })
const headers = { authorization: `Bearer ${simulator.keys.issue({ user: 1 })}` }
const page = await fetch(`${url}/api/projects/1/annotations/?limit=1`, { headers })
const { count } = await page.json()
const mineToo = await (await fetch(`${url}/api/mine`)).json()
const health = await (await fetch(`${url}/__admin/health`)).json()
await close()
const seen = [page.status, count > 10, mineToo, health.status]
console.log(JSON.stringify({ seen, fixtureNames }))
