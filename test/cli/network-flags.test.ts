import { writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import process from 'node:process'
import { expect, onTestFinished, test, vi } from 'vitest'
import { root, run } from '../support/cli/command.ts'
import { startServe } from '../support/cli/serve.ts'
import { temporaryFolder } from '../support/files.ts'
import { startHttpServer } from '../support/http-server.ts'

test('--forward passes other paths on, and the log shows them without keys', async () => {
  const forward = await startHttpServer((request, response) => {
    response.end(JSON.stringify([request.url, request.headers.authorization ?? 'no key']))
  })
  const { url, printed } = await startServe(['--forward', forward])
  const headers = { authorization: 'Bearer phx_all' }

  const response = await fetch(`${url}/api/users/@me/?a=1`, { headers })

  expect(await response.json()).toEqual(['/api/users/@me/?a=1', 'no key'])
  expect(printed().stdout).toContain(
    `  Forward   ${forward} gets other paths, without a key in Authorization: Bearer\n`,
  )
  await expect.poll(() => printed().stderr).toContain('forwarded')
  expect(printed().stderr).toMatch(/^\S+ 200 GET \/api\/users\/@me\/\?a=1 \S+ ms – forwarded\n$/)
  expect(printed().stderr).not.toContain('phx_all')
  const closed = await startServe(['--forward', 'http://127.0.0.1:1'])
  await fetch(closed.url)
  await expect.poll(() => closed.printed().stderr).toMatch(/ 502 GET \/ .* – not forwarded: /)
})

const handlers = join(root, 'test', 'support', 'cli', 'handlers.mjs')

function temporaryHandlers(name: string, text: string): string {
  const file = join(temporaryFolder(), name)
  writeFileSync(file, text)
  return file
}

test('--handlers responds before the API, and leaves all other requests to it', async () => {
  const log = vi.spyOn(console, 'error').mockImplementation(() => {})
  const { url } = await startServe(['--handlers', handlers])
  const headers = { authorization: 'Bearer phx_all' }

  const own = await fetch(`${url}/api/projects/`, { headers })
  const broken = await fetch(`${url}/api/broken/`, { headers })
  const api = await fetch(`${url}/api/projects/1/annotations/1/`, { headers })

  expect(await own.json()).toEqual({ mine: true })
  expect(broken.status).toBe(500)
  expect(log).toHaveBeenCalledWith(new Error('My bug'))
  expect(await api.json()).toMatchObject({ id: 1 })
})

test('--handlers reads a CommonJS module at a relative path', async () => {
  const list = `const { http, HttpResponse } = require(${JSON.stringify(join(root, 'node_modules/msw'))})
    const flags = () => HttpResponse.json(['beta'])
    module.exports = { handlers: [http.get('*/api/flags/', flags)] }`
  const before = process.cwd()
  onTestFinished(() => process.chdir(before))
  process.chdir(dirname(temporaryHandlers('handlers.cjs', list)))

  const { url } = await startServe(['--handlers', 'handlers.cjs'])

  expect(await (await fetch(`${url}/api/flags/`)).json()).toEqual(['beta'])
})

test('--handlers takes a function of the simulator, by which a handler changes a response', async () => {
  const list = `import { http, HttpResponse } from ${JSON.stringify(join(root, 'node_modules/msw/lib/core/index.mjs'))}
    export const handlers = (simulator) => [
      http.get('*/annotations/:id/', async ({ request }) => {
        const row = await (await simulator.fetch(request)).json()
        return HttpResponse.json({ ...row, dashboard_name: null })
      }),
    ]`
  const { url } = await startServe(['--handlers', temporaryHandlers('handlers.mjs', list)])
  const headers = { authorization: 'Bearer phx_all' }

  const response = await fetch(`${url}/api/projects/1/annotations/1/`, { headers })

  expect(await response.json()).toMatchObject({ id: 1, dashboard_name: null })
})

test.each([
  ['no handlers', 'export const handler = []', 'got nothing.'],
  ['a value that is no handler', 'export default [{}]', 'got [{}].'],
  ['a function that returns none', 'export default () => {}', 'got nothing.'],
  ['a syntax error', 'export const', 'Unexpected token'],
  ['an error', "throw new Error('Mine')", 'Error: Mine'],
  [
    'a function that throws',
    "export default () => { throw new Error('Mine') }",
    'its function of handlers threw Error: Mine.',
  ],
])('a module of --handlers with %s ends with 2, and names the file', async (_, text, reason) => {
  const file = temporaryHandlers('handlers.mjs', text)

  const { code, stderr } = await run(['serve', '--port', '0', '--handlers', file])

  expect([code, stderr]).toEqual([2, expect.stringContaining(`Failed to load ${file}: `)])
  expect(stderr).toContain(reason)
})
