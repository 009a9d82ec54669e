import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { exchangesToHar } from '../../src/adapters/har/write-har.ts'
import { run } from '../support/cli/command.ts'
import { startRecord } from '../support/cli/record.ts'
import { startServe } from '../support/cli/serve.ts'
import { temporaryFile, temporaryFolder } from '../support/files.ts'
import { createExchange } from '../support/scenarios/exchanges.ts'

const headerNames =
  'X-Auth-Token X-Access-Token X-CSRFToken X-XSRF-TOKEN X-Amz-Security-Token X-Session-Token Private-Token X-Gitlab-Token X-Goog-Api-Key Ocp-Apim-Subscription-Key Api-Key Authentication X-Secret Cookie X-Internal'.split(
    ' ',
  )
const parameterNames =
  'jwt sig signature session auth pass pin key code token access_key x-internal'.split(' ')
const fieldNames =
  'password clientSecret session_id refresh_token credentials jwt x-internal'.split(' ')

/** A value that must appear nowhere. */
const canary = (index: number): string => `canary-${index}-of-0123456789`

const jwt = 'eyJjYW5hcnkiOiJjYW5hcnkifQ.eyJjYW5hcnkiOiJjYW5hcnktMCJ9.Y2FuYXJ5LWNhbmFyeQ'

const withCanaries = (names: readonly string[], from: number): Record<string, string> =>
  Object.fromEntries(names.map((name, index) => [name, canary(from + index)]))

const path = '/api/projects/1/annotations/'

/** Requests with a secret in every place. */
const requests = [
  { method: 'GET', url: path, headers: withCanaries(headerNames, 0) },
  { method: 'GET', url: `${path}?${new URLSearchParams(withCanaries(parameterNames, 100))}` },
  { method: 'POST', url: path, sent: { content: 'x', ...withCanaries(fieldNames, 200) } },
  { method: 'POST', url: path, sent: { content: `Send Bearer ${canary(300)}, or ${jwt}.` } },
  { method: 'GET', url: `/api/nothing/${jwt}/?search=${jwt}` },
]

/** The canaries and parts of the token in a text. */
const findSecrets = (text: string): string[] => [
  ...new Set(text.match(/canary-\d+-of|Y2FuYXJ5|eyJjYW5hcnktMCJ9/g) ?? []),
]

async function send(base: string, all: typeof requests): Promise<void> {
  for (const { method, url, headers, sent } of all) {
    const type = { 'content-type': 'application/json', authorization: 'Bearer phx_all' }
    const body = sent === undefined ? null : JSON.stringify(sent)
    await (await fetch(base + url, { method, headers: { ...type, ...headers }, body })).text()
  }
}

const redact = ['--redact', 'X-Internal']

test('scenario, archive and output of a recording contain no secret', async () => {
  const out = `${temporaryFolder()}/story.json`
  const { url: target } = await startServe()
  const { url, stop } = await startRecord(target, '--out', out, '--har', `${out}.har`, ...redact)

  await send(url, requests)
  const { stdout, stderr } = await stop('SIGINT')

  for (const file of [out, `${out}.har`]) {
    expect([file, findSecrets(readFileSync(file, 'utf8'))]).toEqual([file, []])
  }
  expect(findSecrets(stdout + stderr)).toEqual([])
})

test('log, journal and archive of a server contain no secret', async () => {
  const { url, stop } = await startServe(['--log-format', 'json', ...redact])

  await send(url, requests)
  const shown = await Promise.all(
    ['journal', 'journal/har'].map(async (name) => (await fetch(`${url}/__admin/${name}`)).text()),
  )
  const { stdout, stderr } = await stop('SIGTERM')

  expect(shown.join('')).toContain('annotations')
  expect(findSecrets(shown.join(''))).toEqual([])
  expect(findSecrets(stdout + stderr)).toEqual([])
})

test('a recording of exec contains no secret, and replays', async () => {
  const recording = `${temporaryFolder()}/run.json`
  const program = `
    const [path, requests] = [${JSON.stringify(path)}, ${JSON.stringify(requests)}]
    await (${send.toString()})(process.env.UNDERSTUDY_URL, requests)`
  const command = ['--', process.execPath, '--input-type=module', '-e', program]

  const { code, stderr } = await run(['exec', ...redact, '--record', recording, ...command])

  expect([code, findSecrets(stderr), findSecrets(readFileSync(recording, 'utf8'))]).toEqual([
    0,
    [],
    [],
  ])
  expect(await run(['replay', recording])).toMatchObject({ code: 0 })
})

test('an imported archive contains no secret', async () => {
  const out = temporaryFile('')
  const exchanges = requests.map((request) =>
    createExchange({ ...request, received: { session: canary(400), note: canary(400) } }),
  )
  const har = temporaryFile(JSON.stringify(exchangesToHar(exchanges)))

  const { code, stdout, stderr } = await run(['import', har, '--out', out, ...redact])

  expect([code, findSecrets(stdout + stderr)]).toEqual([0, []])
  expect(findSecrets(readFileSync(out, 'utf8'))).toEqual([])
})

test('--redact can be repeated, and have several names', async () => {
  const { url, stop } = await startServe([
    '--log-format',
    'json',
    '--redact',
    'a,B',
    '--redact',
    'c',
  ])

  await fetch(`${url}/api/x/?a=${canary(1)}&b=${canary(2)}&C=${canary(3)}&d=4`)
  const { stderr } = await stop('SIGTERM')

  expect(findSecrets(stderr)).toEqual([])
  expect(stderr).toContain('d=4')
})
