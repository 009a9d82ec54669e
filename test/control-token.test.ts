import { expect } from 'vitest'
import { sendRaw as send } from './support/control.ts'
import { overHttp, start } from './support/start.ts'

const world = '/__admin/world'
const port = (origin: string) => new URL(origin).port

overHttp.each([
  ['missing', {}],
  ['wrong', { authorization: 'Bearer other' }],
  ['a beginning', { authorization: 'Bearer secre' }],
  ['of another kind', { authorization: 'Basic secret' }],
  ['an API key', { authorization: 'Bearer phx_all' }],
])(
  'where there is a token, one that is %s is refused (over HTTP only: a server has it)',
  async (_, headers) => {
    const { origin } = await start({}, { token: 'secret' })
    const host = `localhost:${port(origin)}`

    const refused = await send(origin, 'GET', world, { host, authorization: '', ...headers })
    const admitted = await send(origin, 'GET', world, { host, authorization: 'Bearer secret' })

    expect(JSON.parse(refused?.text ?? '')).toEqual({
      type: 'authentication_error',
      code: 'not_authenticated',
      detail: 'The control API asks for Authorization: Bearer and the token.',
      attr: null,
    })
    expect([refused?.status, admitted?.status]).toEqual([401, 200])
  },
)

overHttp(
  'a token does not open it to pages of other sites, nor to forms (over HTTP only: a server has it)',
  async () => {
    const { origin } = await start({}, { token: 'secret' })
    const headers = { host: `localhost:${port(origin)}`, authorization: 'Bearer secret' }

    const page = await send(origin, 'GET', world, { ...headers, origin: 'https://evil.test' })
    const form = await send(
      origin,
      'PUT',
      world,
      { ...headers, 'content-type': 'text/plain' },
      '{}',
    )

    expect([page?.status, form?.status]).toEqual([403, 415])
  },
)

overHttp(
  'bound off loopback it is closed without a token, and open with it, by any Host (over HTTP only: a server has it)',
  async () => {
    const closed = await start({}, { host: '0.0.0.0' })
    const open = await start({}, { host: '0.0.0.0', token: 'secret' })
    const authorization = 'Bearer secret'

    const answers = [
      await send(closed.origin, 'GET', world, { host: 'localhost' }),
      await send(closed.origin, 'GET', world, { host: 'localhost', authorization }),
      await send(open.origin, 'GET', world, { host: 'localhost' }),
      await send(open.origin, 'GET', world, { host: 'box.lan:4010', authorization }),
      await send(open.origin, 'GET', world, { host: 'box.lan', authorization, origin: 'http://x' }),
    ]

    expect(answers.map((answer) => answer?.status)).toEqual([403, 403, 401, 200, 403])
    expect(JSON.parse(answers[0]?.text ?? '').detail).toBe(
      'Failed to use the control API: expected a token, since the server is reachable from other machines. Start it with --token.',
    )
    expect((await closed.ask('GET', '/api/projects/')).status).toBe(200)
  },
)
