import { readdirSync, readFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { expect, test } from 'vitest'
import { run } from '../support/cli/command.ts'
import { startRecord } from '../support/cli/record.ts'
import { startServe } from '../support/cli/serve.ts'
import { temporaryFile, temporaryFolder } from '../support/files.ts'
import { root } from '../support/root.ts'
import {
  findKeys,
  opaqueKey,
  type RequestWithKey,
  requestsWithUnknownKeys,
  serviceLikeKey,
} from '../support/scenarios/secrets.table.ts'

/** Sends a request with the key `phx_all`, unless it has one. */
async function send(url: string, { method, target, headers, body }: RequestWithKey): Promise<void> {
  const bytes = body === undefined ? null : Uint8Array.from(body, (char) => char.charCodeAt(0))
  const allHeaders = { authorization: 'Bearer phx_all', ...headers }
  const response = await fetch(url + target, { method, headers: allHeaders, body: bytes })
  await response.text()
}

/** A command that sends requests one after another. */
function clientCommand(requests: readonly RequestWithKey[]): string[] {
  const file = temporaryFile(JSON.stringify(requests))
  const program = `
    const { readFileSync } = await import('node:fs')
    for (const request of JSON.parse(readFileSync(${JSON.stringify(file)}, 'utf8'))) {
      await (${send.toString()})(process.env.UNDERSTUDY_URL, request)
    }`
  return ['--', process.execPath, '--input-type=module', '-e', program]
}

const live = ['--profile', 'live', '--clock', '2024-06-15T12:00:00Z']

test('a recording of exec contains no key', async () => {
  const recording = `${temporaryFolder()}/run.json`

  const { code, stdout, stderr } = await run([
    ...['exec', ...live, '--record', recording],
    ...clientCommand(requestsWithUnknownKeys),
  ])

  expect([code, findKeys(stdout + stderr + readFileSync(recording, 'utf8'))]).toEqual([0, []])
})

test('a recording of exec hides a key in the world and in the steps before the request that sends it', async () => {
  const key = 'correct-horse-battery-staple'
  const world = JSON.parse(readFileSync(`${root}fixtures/default.json`, 'utf8'))
  world.annotations[0].content = `Mine is ${key}`
  const file = temporaryFile(JSON.stringify(world))
  const recording = `${temporaryFolder()}/run.json`
  const url = '/api/projects/1/annotations/'
  const headers = { authorization: 'Bearer phx_all', 'content-type': 'application/json' }
  const requests: RequestWithKey[] = [
    { place: 'list', method: 'GET', target: url, headers },
    {
      ...{ place: 'text', method: 'POST', target: url, headers },
      body: JSON.stringify({ content: `Ask for ${key}` }),
    },
    {
      ...{ place: 'header', method: 'GET', target: url },
      headers: { authorization: `Bearer ${key}` },
    },
  ]

  const { code } = await run([
    ...['exec', '--data', file, '--record', recording],
    ...clientCommand(requests),
  ])
  const again = await run(['replay', recording])

  const text = readFileSync(recording, 'utf8')
  expect([code, again.code, text.match(/horse/g)]).toEqual([0, 0, null])
  expect(readdirSync(dirname(recording))).toEqual(['run.json'])
})

test('scenario, archive and output of a recording contain no key', async () => {
  const out = `${temporaryFolder()}/story.json`
  const { url: target } = await startServe(live)
  const { url, stop } = await startRecord(target, '--out', out, '--har', `${out}.har`)

  for (const request of requestsWithUnknownKeys) await send(url, request)
  const { stdout, stderr } = await stop('SIGINT')

  const [story, archive] = [out, `${out}.har`].map((file) => readFileSync(file, 'utf8'))
  expect(findKeys(`${story}`)).toEqual([])
  expect(findKeys(`${archive}`)).toEqual([])
  expect(findKeys(stdout + stderr)).toEqual([])
})

test('the warning about a request that is not recorded contains no key', async () => {
  const out = `${temporaryFolder()}/story.json`
  const { url: target, stop: stopTarget } = await startServe()
  const { url, stop } = await startRecord(target, '--out', out, '--key', 'mine=phx_mine_0123')
  await stopTarget('SIGTERM')

  await fetch(`${url}/api/projects/?personal_api_key[]=${opaqueKey}&search=${serviceLikeKey}`)
  await fetch(`${url}/api/phx_mine_0123/?email=ada@corp.test`)
  const { stderr } = await stop('SIGINT')

  expect(stderr.split('\n').map((line) => line.split(' is not recorded')[0])).toEqual([
    'GET /api/projects/?personal_api_key%5B%5D=replaced-key-1&search=replaced-key-2',
    'GET /api/replaced-key-3/?email=replaced-email-1%40example.com',
    '',
  ])
})

test('the log of a server contains no key, even for unknown paths', async () => {
  const { url, stop } = await startServe(['--profile', 'live', '--log-format', 'json'])

  for (const request of requestsWithUnknownKeys) await send(url, request)
  const unknownSandbox = '/__sandbox/none/api/projects/'
  for (const path of ['/api/unknown', unknownSandbox, '/__admin/nothing']) {
    await fetch(`${url}${path}?personal_api_key=${opaqueKey}&a=b`)
  }
  await fetch(`${url}/api/unknown/${serviceLikeKey}/?personal%5Fapi%5Fkey[]=${serviceLikeKey}`)
  await fetch(`${url}/api/unknown/phx_%61ll/`)
  const { stdout, stderr } = await stop('SIGTERM')

  expect(findKeys(stdout + stderr)).toEqual([])
  const lines = stderr.trim().split('\n').slice(requestsWithUnknownKeys.length)
  expect(lines.map((line) => JSON.parse(line).path)).toEqual([
    '/api/unknown?personal_api_key=cana%E2%80%A6-own&a=b',
    `${unknownSandbox}?personal_api_key=cana%E2%80%A6-own&a=b`,
    '/__admin/nothing?personal_api_key=cana%E2%80%A6-own&a=b',
    '/api/unknown/phx_…cdef/?personal_api_key%5B%5D=phx_%E2%80%A6cdef',
    '/api/unknown/phx_%E2%80%A6/',
  ])
})
