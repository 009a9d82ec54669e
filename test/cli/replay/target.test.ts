import { createServer } from 'node:https'
import { setTimeout } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import type { Step } from '../../../src/index.ts'
import { bindServer, closeServer } from '../../../src/server/bind.ts'
import { annotationsPath } from '../../support/api/paths.ts'
import { loopback } from '../../support/certificates.ts'
import { run, startCommand } from '../../support/cli/command.ts'
import { startServe } from '../../support/cli/serve.ts'
import { startHttpServer } from '../../support/http-server.ts'
import {
  failingStep,
  storyFile,
  titledStep,
  writeScenarioFile,
} from '../../support/scenarios/story.ts'

test('on an Understudy server a replay runs in a sandbox, and the world does not change', async () => {
  const { url } = await startServe(['--token', 'secret'])
  const control = { headers: { authorization: 'Bearer secret' } }
  const state = async (): Promise<string> => (await fetch(`${url}/__admin/world`, control)).text()
  const before = await state()

  const { code } = await run(['replay', storyFile, '--target', url, '--token', 'secret'])
  const refused = await run(['replay', storyFile, '--target', url])
  const body = { code: 'method_not_allowed' }
  const deletion = { ...titledStep, method: 'DELETE', expect: { status: 405, body } }
  const flags = ['--target', url, '--token', 'secret', '--profile', 'live']
  const inLive = await run(['replay', writeScenarioFile([failingStep, deletion]), ...flags])

  expect(code).toBe(0)
  expect(await state()).toBe(before)
  expect(await (await fetch(`${url}/__admin/sandboxes`, control)).text()).toBe('[]')
  expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining('token') })
  expect(inLive.stdout).toMatch(/ {2}✗ 2 /)
})

test('an interrupted replay leaves no sandbox on the server', async () => {
  const { url } = await startServe()
  const sandboxes = async () => (await (await fetch(`${url}/__admin/sandboxes`)).json()) as object[]
  const slow = { fault: { effect: { delay_ms: 60_000 } } }
  const file = writeScenarioFile([slow, titledStep])
  const replay = startCommand(['replay', file, '--target', url])
  await expect.poll(replay.printed).toMatchObject({ stdout: expect.stringContaining('✓ 1 ') })

  const { code, stderr } = await replay.stop('SIGINT')

  expect(await sandboxes()).toEqual([])
  expect([code, stderr]).toEqual([
    130,
    expect.stringMatching(/: The replay was interrupted after \d+ of \d+ steps\.\n$/),
  ])
})

test('another service only gets the requests of a scenario, and no writes without --allow-writes', async () => {
  const requests: string[] = []
  const url = await startService((summary) => requests.push(summary))
  const steps = [titledStep, { ...titledStep, as: 'other', path: '/{{id}}/' }]
  const keys = ['other=phx_other', 'phx_mine', 'third=phx_third']
  const flags = ['--target', `${url}/`, ...keys.flatMap((key) => ['--key', key])]

  const check = {
    ...titledStep,
    path: '/api/organizations/{{id}}/plugins/1/check_for_updates/?a=1',
  }
  const post = { ...titledStep, method: 'POST' } as const
  const replay = (steps: readonly Step[], ...more: readonly string[]) =>
    run(['replay', writeScenarioFile(steps), ...flags, ...more])

  const reads = await replay(steps)
  const write = await replay([post])
  const writingRead = await replay([check])
  const change = await replay([...steps, { title: 'Again', reset: true }])
  const allowed = await replay([post], '--allow-writes')

  expect(reads.code).toBe(0)
  const refusal = (message: string) => ({ code: 2, stderr: expect.stringContaining(message) })
  const allow = 'Allow writes with allow_writes or --allow-writes'
  expect(write).toMatchObject(refusal(`steps[0].method: expected a read, got POST. ${allow}`))
  expect(writingRead).toMatchObject(
    refusal(`steps[0].path: expected a read, got ${check.path}. ${allow}`),
  )
  expect(change).toMatchObject(refusal('steps[2].reset: expected requests only'))
  expect(allowed.code).toBe(0)
  expect(requests).toEqual([
    `GET ${annotationsPath}1/ Bearer phx_mine`,
    'GET /%7Bid%7D/ Bearer phx_other',
    `POST ${annotationsPath}1/ Bearer phx_mine`,
  ])
})

test('the wait of a throttled request can be interrupted', async () => {
  let requests = 0
  const url = await startHttpServer((_request, response) => {
    requests += 1
    response.writeHead(429, { 'retry-after': '60' }).end('{}')
  })
  const file = writeScenarioFile([{ ...titledStep, expect: { status: 200 } }])
  const replay = startCommand(['replay', file, '--target', url, '--key', 'phx_mine'])
  await expect.poll(() => requests).toBe(1)
  // When this has its response, the replay has the one before. A wait of 60 milliseconds would be over.
  await (await fetch(url)).text()
  await setTimeout(300)

  const { code } = await replay.stop('SIGINT')

  expect([code, requests]).toEqual([130, 2])
})

test('--redact hides a field of what another service returns', async () => {
  const url = await startHttpServer((_request, response) => {
    response.end('{"tenant":"acme-internal-7"}')
  })
  const file = writeScenarioFile([{ ...titledStep, expect: { body: { tenant: 'other' } } }])

  const flags = ['--target', url, '--key', 'phx_mine', '--redact', 'tenant']
  const { code, stdout } = await run(['replay', file, ...flags])

  expect([code, stdout]).toEqual([1, expect.stringMatching(/\n +expected "other"\n +got +"…"\n/)])
})

test('a server behind an untrusted certificate ends with 4', async () => {
  const server = createServer(loopback, (_, response) => response.end())
  const { port } = await bindServer(server, 0, '127.0.0.1')
  onTestFinished(() => closeServer(server))
  const url = `https://127.0.0.1:${port}`

  const { code, stderr } = await run(['replay', writeScenarioFile([titledStep]), '--target', url])

  expect(code).toBe(4)
  expect(stderr).toContain(
    `Failed to reach ${url}: Node does not trust its certificate (DEPTH_ZERO_SELF_SIGNED_CERT).`,
  )
})

/** Starts a service that is not an Understudy server. */
function startService(onRequest: (summary: string) => void = () => {}): Promise<string> {
  return startHttpServer((request, response) => {
    onRequest(`${request.method} ${request.url} ${request.headers.authorization}`)
    response.end('{}')
  })
}

const unauthenticated = {
  code: 'not_authenticated',
  detail: 'Authentication credentials were not provided.',
}

test.each([
  [404, {}, 'URL is no Understudy server, and the steps send keys.'],
  [401, unauthenticated, 'URL is no Understudy server, and the steps send keys.'],
])('without --key, another service that returns %i %j needs one', async (status, body, message) => {
  const url = await startHttpServer((_, response) => {
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  })
  const file = writeScenarioFile([titledStep])

  const { code, stderr } = await run(['replay', file, '--target', url])

  expect([code, stderr.replace(url, 'URL')]).toEqual([
    2,
    `${file}: ${message} Pass a key of the service with --key, or as the option key.\n`,
  ])
})
