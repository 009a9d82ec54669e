import { expect } from 'vitest'
import { attacks } from './control-guard.table.ts'
import { corsHeaders, sendRaw as send } from './support/control.ts'
import { overHttp, start } from './support/start.ts'

const world = '/__admin/world'
const reset = '/__admin/reset'
const port = (origin: string) => new URL(origin).port

overHttp.each(attacks)(
  '$what is refused, and nothing changes (over HTTP only: a server has it)',
  async ({ method, path, headers, body, status, detail }) => {
    const { origin, simulator } = await start()
    simulator.world.annotations.create()

    const answer = await send(origin, method, path, headers, body)

    expect(answer?.status).toBe(status)
    expect(JSON.parse(answer?.text ?? '').detail).toContain(detail)
    expect(answer?.text).not.toContain('phx_')
    expect(corsHeaders(answer)).toEqual([])
    expect(simulator.world.annotations.count).toBe(9)
  },
)

overHttp.each([
  'GET /__admin/health',
  `GET ${world}`,
  `PUT ${world}`,
  `POST ${reset}`,
  `OPTIONS ${world}`,
  `DELETE ${world}`,
])('%s is guarded as all of it is (over HTTP only: a server has it)', async (line) => {
  const [method = '', path = ''] = line.split(' ')
  const { origin } = await start()

  const byHost = await send(origin, method, path, { host: 'evil.test' })
  const byOrigin = await send(origin, method, path, { origin: 'https://evil.test' })

  expect([byHost?.status, byOrigin?.status]).toEqual([403, 403])
})

overHttp.each([
  { host: 'localhost:$port' },
  { host: '127.0.0.1:$port' },
  { host: '[::1]:$port' },
  { host: 'LOCALHOST' },
  { host: 'localhost:$port', origin: 'http://localhost:$port' },
  { host: 'localhost:$port', origin: 'https://localhost:$port' },
  { host: 'localhost:$port', 'sec-fetch-site': 'same-origin' },
  { host: 'localhost:$port', 'sec-fetch-site': 'none' },
])(
  'this machine and its own page are let in: %j (over HTTP only: a server has it)',
  async (headers) => {
    const { origin } = await start()

    const read = await send(origin, 'GET', world, headers as Record<string, string>)
    const written = await send(origin, 'POST', reset, headers as Record<string, string>)

    expect([read?.status, written?.status]).toEqual([200, 204])
    expect([...corsHeaders(read), ...corsHeaders(written)]).toEqual([])
  },
)

overHttp(
  'a preflight of a page is refused here, and has no CORS headers (over HTTP only: a server has it)',
  async () => {
    const { origin } = await start()

    const answer = await send(origin, 'OPTIONS', world, {
      host: `localhost:${port(origin)}`,
      origin: 'http://localhost:3000',
      'access-control-request-method': 'PUT',
    })

    expect(answer?.status).toBe(403)
    expect(corsHeaders(answer)).toEqual([])
  },
)
