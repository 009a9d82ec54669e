import { Buffer } from 'node:buffer'
import { createServer } from 'node:http'
import { expect, onTestFinished, test } from 'vitest'
import { run } from '../../support/cli/command.ts'
import { startServe } from '../../support/cli/serve.ts'
import {
  annotationsPath,
  readStep,
  storyFile,
  writeScenarioFile,
} from '../../support/scenarios/scenario-files.ts'

test('a server of ours gets a sandbox for the replay, and stays as it is', async () => {
  const { url } = await startServe(['--token', 'secret'])
  const control = { headers: { authorization: 'Bearer secret' } }
  const state = async (): Promise<string> => (await fetch(`${url}/__admin/world`, control)).text()
  const before = await state()

  const { code } = await run(['replay', storyFile, '--target', url, '--token', 'secret'])
  const refused = await run(['replay', storyFile, '--target', url])

  expect(code).toBe(0)
  expect(await state()).toBe(before)
  expect(await (await fetch(`${url}/__admin/sandboxes`, control)).text()).toBe('[]')
  expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining('token') })
})

test('another service is asked by requests alone, and only read from', async () => {
  const asked: string[] = []
  const { url } = await other((method, path, key) => asked.push(`${method} ${path} ${key}`))
  const steps = [readStep, { ...readStep, as: 'other', path: '/{{id}}/' }]
  const flags = ['--target', url, '--key', 'phx_mine', '--key', 'other=phx_other']

  const held = await run(['replay', writeScenarioFile(steps), ...flags])
  const write = await run([
    'replay',
    writeScenarioFile([{ ...readStep, method: 'POST' }]),
    ...flags,
  ])
  const change = await run(['replay', writeScenarioFile([...steps, { reset: true }]), ...flags])
  const allowed = await run([
    ...['replay', writeScenarioFile([{ ...readStep, method: 'POST' }]), ...flags],
    '--allow-writes',
  ])

  expect(held.code).toBe(0)
  expect(write).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('steps[0].method: expected a read, got POST: --allow-writes'),
  })
  expect(change).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('steps[2].reset: expected requests only'),
  })
  expect(allowed.code).toBe(0)
  expect(asked).toEqual([
    `GET ${annotationsPath}1/ Bearer phx_mine`,
    'GET /%7Bid%7D/ Bearer phx_other',
    `POST ${annotationsPath}1/ Bearer phx_mine`,
  ])
})

test('where nothing answers it ends with 4', async () => {
  const down = await run([
    'replay',
    writeScenarioFile([readStep]),
    '--target',
    'http://127.0.0.1:1',
    '--key',
    'x',
  ])
  const ours = await run([
    'replay',
    writeScenarioFile([readStep]),
    '--target',
    'http://localhost:1',
  ])
  const { url } = await other(() => {})
  const tls = await run([
    ...['replay', writeScenarioFile([readStep]), '--key', 'x'],
    ...['--target', url.replace('http:', 'https:')],
  ])

  expect(down).toMatchObject({
    code: 4,
    stderr: expect.stringMatching(
      /Failed to reach http:\/\/127\.0\.0\.1:1: .* It was asked by steps\[0\]\.\n$/,
    ),
  })
  expect(ours.code).toBe(4)
  expect(tls).toMatchObject({
    code: 4,
    stderr: expect.stringContaining('got a failed TLS connection (ERR_SSL_'),
  })
})

test('a body that is no text is told as such', async () => {
  const { url } = await other(() => {})
  const step = { ...readStep, path: '/binary', expect: { body: {} } }

  const { code, stdout } = await run([
    'replay',
    writeScenarioFile([step]),
    '--target',
    url,
    '--key',
    'x',
  ])

  expect([code, stdout]).toEqual([1, expect.stringContaining('bytes that are no text (image/png)')])
})

/** A service that is not ours. */
async function other(
  onAsked: (method: string | undefined, path: string | undefined, key: string | undefined) => void,
): Promise<{ url: string }> {
  const server = createServer((request, response) => {
    onAsked(request.method, request.url, request.headers.authorization)
    if (request.url === '/binary') {
      response.setHeader('content-type', 'image/png').end(Buffer.from([0x89, 0xff, 0xfe]))
    } else response.end('{}')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const { port } = server.address() as { port: number }
  return { url: `http://127.0.0.1:${port}` }
}
