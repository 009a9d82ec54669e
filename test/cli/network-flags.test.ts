import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test, vi } from 'vitest'
import { certificateFiles } from '../support/certificates.ts'
import { root, run } from '../support/cli/command.ts'
import { runProcess } from '../support/cli/process.ts'
import { startServe } from '../support/cli/serve.ts'
import { temporaryFile } from '../support/files.ts'
import { startHttpServer } from '../support/http-server.ts'

test('--tls-cert and --tls-key serve HTTPS, and the curl command of the start text works', async () => {
  const { cert, key } = await certificateFiles()
  const { url, printed } = await startServe(['--tls-cert', cert, '--tls-key', key])
  const { stdout } = printed()
  const [, line = ''] = /^ {2}(curl .*)$/m.exec(stdout) ?? []

  const page = await promisify(execFile)('sh', ['-c', `${line} -sS --fail`])

  expect(url).toMatch(/^https:\/\/127\.0\.0\.1:/)
  expect(stdout).toContain(`  Dashboard ${url}/__admin/\n`)
  expect(line).toContain(`--cacert ${cert} `)
  expect(JSON.parse(page.stdout)).toMatchObject({ count: 6 })
})

test('--json names the HTTPS URL', async () => {
  const { cert, key } = await certificateFiles()

  const { url, printed } = await startServe(['--tls-cert', cert, '--tls-key', key, '--json'])

  expect(JSON.parse(printed().stdout)).toMatchObject({ url, admin_url: `${url}/__admin` })
})

test('other commands reach a server over HTTPS, and name an untrusted certificate', async () => {
  const { cert, key, authority } = await certificateFiles()
  const { url } = await startServe(['--tls-cert', cert, '--tls-key', key])
  const story = join(root, 'scenarios', 'put-replaces-an-annotation.json')
  const replay = ['replay', story, '--target', url]

  const trusted = await runProcess(replay, { NODE_EXTRA_CA_CERTS: authority })
  const untrusted = await run(replay)

  expect(trusted).toMatchObject({ stderr: '', stdout: expect.stringContaining('steps passed') })
  expect([trusted.code, untrusted.code]).toEqual([0, 4])
  expect(untrusted.stderr).toContain('an untrusted certificate')
})

test('a certificate of another key ends with 2', async () => {
  const [{ cert }, { key }] = [await certificateFiles(), await certificateFiles()]

  const { code, stderr } = await run(['serve', '--tls-cert', cert, '--tls-key', key])

  expect([code, stderr]).toEqual([
    2,
    'Failed to serve over TLS: the certificate does not belong to the key. Name the key that it was issued for.\n',
  ])
})

test('--forward passes other paths on, and the log shows them without keys', async () => {
  const forward = await startHttpServer((request, response) => {
    response.end(JSON.stringify([request.url, request.headers.authorization ?? 'no key']))
  })
  const { url, printed } = await startServe(['--forward', forward])
  const headers = { authorization: 'Bearer phx_all' }

  const response = await fetch(`${url}/api/users/@me/?personal_api_key=phx_all&a=1`, { headers })

  expect(await response.json()).toEqual(['/api/users/@me/?a=1', 'no key'])
  expect(printed().stdout).toContain(`  Forward   ${forward} gets other paths, without keys\n`)
  await vi.waitFor(() => expect(printed().stderr).toContain('forwarded'))
  expect(printed().stderr).toMatch(
    /^\S+ 200 GET \/api\/users\/@me\/\?personal_api_key=\S+&a=1 \S+ ms – forwarded\n$/,
  )
  expect(printed().stderr).not.toContain('phx_all')
})

test('the log says why a request was not forwarded', async () => {
  const forward = await startHttpServer((_, response) => response.end())
  const { url, printed } = await startServe(['--forward', forward])

  await fetch(`${url}/users/`, { headers: { origin: 'https://other.example.com' } })

  await vi.waitFor(() => expect(printed().stderr).toContain('forwarded'))
  expect(printed().stderr).toMatch(
    /^\S+ 403 GET \/users\/ \S+ ms – not forwarded: The forwarded service .*other\.example\.com.*\n$/,
  )
})

test('--forward-keys sends the keys, and --json names the service', async () => {
  const forward = await startHttpServer((request, response) => {
    response.end(request.headers.authorization)
  })
  const { url, printed } = await startServe(['--forward', forward, '--forward-keys', '--json'])
  const headers = { authorization: 'Bearer phx_all' }

  expect(await (await fetch(`${url}/users`, { headers })).text()).toBe('Bearer phx_all')
  expect(JSON.parse(printed().stdout)).toMatchObject({ forward })
})

test('a recording leaves other paths to the service of --forward', async () => {
  const forward = await startHttpServer((_request, response) => void response.end('service'))
  const recording = join(root, 'scenarios', 'put-replaces-an-annotation.json')
  const { url } = await startServe(['--recording', recording, '--forward', forward])

  expect(await (await fetch(`${url}/api/users/@me/`)).text()).toBe('service')
})

test('exec takes --forward and --neighbours, too', async () => {
  const forward = await startHttpServer((_request, response) => void response.end('service'))
  const out = temporaryFile('')
  const client = `
    const headers = { authorization: 'Bearer ' + process.env.UNDERSTUDY_KEY }
    const ask = async (path) => (await fetch(process.env.UNDERSTUDY_URL + path, { headers })).text()
    Promise.all([ask('/users'), ask('/api/users/@me/')])
      .then((texts) => require('fs').writeFileSync(${JSON.stringify(out)}, JSON.stringify(texts)))`
  const flags = ['--forward', forward, '--neighbours', 'default']

  await run(['exec', ...flags, '--', process.execPath, '-e', client])

  const [service, user] = JSON.parse(readFileSync(out, 'utf8'))
  expect(service).toBe('service')
  expect(JSON.parse(user)).toMatchObject({ team: { id: 1 } })
})

test('--neighbours responds to other paths, and can be repeated', async () => {
  const file = temporaryFile({ responses: { 'GET /api/flags/': { body: [] } } })
  const { url, printed } = await startServe(['--neighbours', 'default', '--neighbours', file])
  const headers = { authorization: 'Bearer phx_all' }

  const user = await fetch(`${url}/api/users/@me/`, { headers })
  const flags = await fetch(`${url}/api/flags/`)

  expect(await user.json()).toMatchObject({ team: { id: 1 } })
  expect(await flags.json()).toEqual([])
  await vi.waitFor(() => expect(printed().stderr).toContain('200 GET /api/flags/'))
})

test('a file of neighbours with issues ends with 2, and names the file', async () => {
  const file = temporaryFile({ responses: { '/a': { boddy: 1 } } })

  const { code, stderr } = await run(['serve', '--neighbours', file])

  expect([code, stderr]).toEqual([
    2,
    `${file}: Failed to read the neighbours.\n  responses./a: unknown field "boddy". Did you mean "body"?\n`,
  ])
})

test.each([
  ['a list', [{ responses: {} }], 'got [{"responses":{}}]'],
  ['a list with an issue', [{ responses: { '/a': { boddy: 1 } } }], 'got ['],
  ['a name', '"default"', 'got "default"'],
])('a file of neighbours with %s ends with 2, and names the file', async (_, content, actual) => {
  const file = temporaryFile(content)

  const { code, stderr } = await run(['serve', '--port', '0', '--neighbours', file])

  expect(code).toBe(2)
  expect(stderr).toContain(
    `${file}: Failed to read the neighbours.\n  neighbours: expected object, ${actual}`,
  )
})
