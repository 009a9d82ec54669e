import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { exchangesToHar } from '../../src/adapters/har/write-har.ts'
import { recordingOf } from '../../src/index.ts'
import { run } from '../support/cli/command.ts'
import { startRecord } from '../support/cli/record.ts'
import { startServe } from '../support/cli/serve.ts'
import { temporaryFile, temporaryFolder } from '../support/files.ts'
import { findCores, sent } from '../support/planted-secrets.ts'
import { createExchange } from '../support/scenarios/exchanges.ts'
import {
  findKeys,
  opaqueKey,
  type RequestWithKey,
  requestsWithKey,
  requestsWithUnknownKeys,
  serviceLikeKey,
} from '../support/scenarios/secrets.table.ts'

const path = '/api/projects/1/annotations/'
const json = { 'content-type': 'application/json' }

/** A value that must appear nowhere. */
const canary = (index: number): string => `canary-${index}-of-0123456789`

/** Requests with a secret in every place, by its name or by its form, and by names that `--redact` adds. */
const secretRequests: RequestWithKey[] = [
  ...sent,
  { target: path, headers: { 'X-Internal': canary(1) } },
  { target: `${path}?x-internal=${canary(2)}` },
  { method: 'POST', headers: json, body: JSON.stringify({ content: 'x', b: canary(3) }) },
].map((request) => ({ place: '', method: 'GET', target: path, ...request }))

/** The canaries, other planted secrets and keys in a text. */
const findSecrets = (text: string): string[] => [
  ...new Set(text.match(/canary-\d+-of/g)),
  ...findCores(text),
  ...findKeys(text),
]

/** Sends a request with the key `phx_all`, unless it has one. */
async function send(url: string, { method, target, headers, body }: RequestWithKey): Promise<void> {
  const bytes = body === undefined ? null : Uint8Array.from(body, (char) => char.charCodeAt(0))
  const allHeaders = { authorization: 'Bearer phx_all', ...headers }
  const response = await fetch(url + target, { method, headers: allHeaders, body: bytes })
  await response.text()
}

const live = ['--profile', 'live', '--clock', '2024-06-15T12:00:00Z']
const redact = ['--redact', 'a,X-Internal', '--redact', 'B']
/** Some of each way in which a secret is found: by its place, its name and its form. */
const some = [
  ...requestsWithKey(opaqueKey).slice(0, 3),
  ...secretRequests.filter((_, index) => index % 25 === 0),
  ...secretRequests.slice(-3),
]

test('a recording, and the log, the journal and the archive of its target contain no secret', async () => {
  const out = `${temporaryFolder()}/story.json`
  const target = await startServe([...live, ...redact])
  const proxy = await startRecord(target.url, '--out', out, '--har', `${out}.har`, ...redact)

  for (const request of some) await send(proxy.url, request)
  const shown = await Promise.all(
    ['journal', 'journal/har'].map(async (name) =>
      (await fetch(`${target.url}/__admin/${name}`)).text(),
    ),
  )
  const recorded = await proxy.stop('SIGINT')
  await fetch(`${target.url}/api/x/?a=${canary(1)}&b=${canary(2)}&d=4`)
  const served = await target.stop('SIGTERM')

  const files = [out, `${out}.har`].map((file) => readFileSync(file, 'utf8'))
  const texts = { files, shown, recorded, served }
  for (const [name, text] of Object.entries(texts)) {
    expect.soft([name, findSecrets(JSON.stringify(text))]).toEqual([name, []])
  }
  expect(shown.join('')).toContain('annotations')
  expect(served.stderr).toContain('d=4')
})

test('a recording contains no secret, wherever a request has it', () => {
  for (const request of [...requestsWithUnknownKeys, ...secretRequests]) {
    const { place, method, target, headers, body } = request
    const plain = createExchange({ method, url: target })
    const sent = {
      headers: Object.entries({ authorization: 'Bearer phx_all', ...headers }),
      body: body === undefined ? null : { text: body },
    }
    const recorded = recordingOf([{ ...plain, request: sent }], {
      redact: ['a', 'x-internal', 'b'],
    })

    expect.soft([place, findSecrets(JSON.stringify(recorded))]).toEqual([place, []])
  }
})

test('an imported archive contains no secret', async () => {
  const out = temporaryFile('')
  const received = { session: canary(400), note: canary(400) }
  const exchanges = some.map(({ method, target, headers = {} }) =>
    createExchange({ method, url: target, headers, received }),
  )
  const har = temporaryFile(JSON.stringify(exchangesToHar(exchanges)))

  const { code, stdout, stderr } = await run(['import', har, '--out', out, ...redact])

  expect([code, findSecrets(stdout + stderr + readFileSync(out, 'utf8'))]).toEqual([0, []])
})

test('a secret of 100,000 characters is hidden at every door, and stops none', async () => {
  const long = `${canary(500)}+/=`.repeat(4_000)
  const out = `${temporaryFolder()}/story.json`
  const target = await startServe(live)
  const proxy = await startRecord(target.url, '--out', out)
  const body = { content: 'x', signature: long }
  const har = temporaryFile(JSON.stringify(exchangesToHar([createExchange({ received: body })])))

  const post = { place: '', method: 'POST', target: path, headers: json }
  await send(proxy.url, { ...post, body: JSON.stringify(body) })
  const imported = await run(['import', har, '--out', `${out}.2`])
  const shown = await Promise.all(
    ['journal', 'journal/har', 'record'].map(async (name) => {
      const method = name === 'record' ? 'POST' : 'GET'
      return (await fetch(`${target.url}/__admin/${name}`, { method })).text()
    }),
  )
  const [recorded, served] = [await proxy.stop('SIGINT'), await target.stop('SIGTERM')]

  const files = [out, `${out}.2`].map((file) => readFileSync(file, 'utf8'))
  const texts = JSON.stringify([files, imported, shown, recorded, served])
  expect([imported.code, recorded.code, findSecrets(texts)]).toEqual([0, 0, []])
  expect(files.map((text) => text.includes('replaced-secret-1'))).toEqual([true, true])
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

test('the log of a recording contains no key that a header has shown, whatever its form', async () => {
  const { url: target } = await startServe()
  const { url, stop } = await startRecord(target, '--out', `${temporaryFolder()}/story.json`)

  await fetch(url + path, { headers: { authorization: 'Bearer own-key-of-mine-1' } })
  await fetch(`${url + path}?search=own-key-of-mine-1`)
  const { stderr } = await stop('SIGINT')

  expect(stderr).toMatch(/401 GET .*search=replaced-/)
  expect(stderr).not.toContain('own-key-of-mine-1')
})

test('the log of a server contains no key of unknown paths', async () => {
  const { url, stop } = await startServe(['--profile', 'live'])

  const unknownSandbox = '/__sandbox/none/api/projects/'
  for (const path of ['/api/unknown', unknownSandbox, '/__admin/nothing']) {
    await fetch(`${url}${path}?personal_api_key=${opaqueKey}&a=b`)
  }
  await fetch(`${url}/api/unknown/${serviceLikeKey}/?personal%5Fapi%5Fkey[]=${serviceLikeKey}`)
  await fetch(`${url}/api/unknown/phx_%61ll/`)
  const { stdout, stderr } = await stop('SIGTERM')

  expect(findKeys(stdout + stderr)).toEqual([])
  // The first note of a rule has a line, too.
  const lines = stderr.split('\n').filter((line) => / 404 /.test(line) && !/ note /.test(line))
  expect(lines.map((line) => line.split(' ')[3])).toEqual([
    '/api/unknown?personal_api_key=cana%E2%80%A6-own&a=b',
    `${unknownSandbox}?personal_api_key=cana%E2%80%A6-own&a=b`,
    '/__admin/nothing?personal_api_key=cana%E2%80%A6-own&a=b',
    '/api/unknown/phx_…cdef/?personal_api_key%5B%5D=phx_%E2%80%A6cdef',
    '/api/unknown/phx_%E2%80%A6/',
  ])
})
