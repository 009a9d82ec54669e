import { readFileSync, writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import type { Scenario, WorldJson } from '../../src/index.ts'
import { findScenarioIssues } from '../../src/scenarios/format/check-scenario.ts'
import { annotationBody } from '../support/api/annotation.ts'
import { run } from '../support/cli/command.ts'
import { temporaryFolder } from '../support/files.ts'
import { archive, entry, list } from '../support/scenarios/har-entries.ts'

/** The steps of an imported archive, and what the command printed. */
async function importSteps(content: string, files: Readonly<Record<string, object>> = {}) {
  const folder = temporaryFolder(files)
  const [file, out] = [`${folder}/traffic.har`, `${folder}/story.json`]
  writeFileSync(file, content)
  const { code, stdout, stderr } = await run(['import', file, '--out', out])
  expect(code).toBe(0)
  const scenario = JSON.parse(readFileSync(out, 'utf8')) as Scenario
  expect(findScenarioIssues(scenario)).toEqual([])
  const { steps, world } = scenario
  return { steps, world: world as WorldJson, printed: `${stdout}${stderr}` }
}

const launch = { content: 'Launch', date_marker: '2024-06-20T09:00:00Z', scope: 'project' }
const row = annotationBody({ ...launch, id: 9 })
const created = { status: 201, content: { text: JSON.stringify(row) } }
const post = (sent: object = {}) => ({ method: 'POST', ...sent })
const postData = { mimeType: 'application/json', text: JSON.stringify(launch) }

test('an entry without a response is a lost response, and entries of others are left out', async () => {
  const other = { request: { method: 'GET', url: '/logo.svg' } }
  const lost = entry({ request: post({ postData }), entry: { response: undefined } })

  const { steps, printed } = await importSteps(archive(other, 'null', lost, entry()))

  expect(steps[1]).toMatchObject({ method: 'POST', body: launch, expect: { broken: true } })
  expect(printed).toContain('left out: 1 to other URLs, 1 without a request')
})

test('http and https of one host are one service', async () => {
  const plain = entry({ request: { url: list.replace('https:', 'http:') } })

  const { steps, printed } = await importSteps(archive(entry(), entry(), plain))

  expect(steps).toHaveLength(3)
  expect(printed).toContain(
    '1 request to http://api.example.com read as to https://api.example.com.',
  )
})

test('a request that a service worker repeats for its page counts once', async () => {
  const sent = entry({ request: post({ postData }), response: created })

  const { steps, printed } = await importSteps(
    archive({ ...sent, _serviceWorkerRef: 'worker@1' }, sent),
  )

  expect(steps).toHaveLength(1)
  expect(printed).toContain('left out: 1 of a service worker that the page sent, too')
})

test('a create whose body was not recorded sends the fields of its response', async () => {
  const blob = post({ headers: [{ name: 'content-length', value: '88' }] })

  const { steps, printed } = await importSteps(archive(entry({ request: blob, response: created })))

  expect(steps[0]).toMatchObject({ body: launch })
  expect(printed).toContain(
    'steps[0] sends the fields of its response, because the body of the request was not recorded.',
  )
})

test('bodies are read from the files that Playwright writes beside an archive', async () => {
  const request = post({ postData: { mimeType: 'application/json', _file: 'sent.json' } })
  const response = { status: 201, content: { size: -1, _file: 'received.json' } }

  const sent = { ...launch, from: 'a form' }

  const { steps } = await importSteps(archive(entry({ request, response })), {
    'sent.json': sent,
    'received.json': row,
  })

  expect(steps[0]).toMatchObject({ body: sent, expect: { exact_body: { content: 'Launch' } } })
})

test('without recorded bodies, the created row has the id that later paths name', async () => {
  const size = { content: { size: 530 } }
  const found = entry({ request: { url: `${list}9/` }, response: size })

  const { world } = await importSteps(
    archive(entry({ request: post({ postData }), response: { status: 201, ...size } }), found),
  )

  expect(world).toMatchObject({ next_ids: { annotations: 9 } })
  expect(world.annotations).toBeUndefined()
})

const refusal = JSON.stringify({
  type: 'authentication_error',
  code: 'authentication_failed',
  detail: 'Personal API key found in request Authorization header is invalid.',
  attr: null,
})
const unauthorized = { status: 401, content: { text: refusal } }
const bearer = (key: string) => [{ name: 'authorization', value: `Bearer ${key}` }]

test('a key that a fixture has, and the service refused, is an unknown key', async () => {
  const request = { headers: bearer('phx_all') }

  const { steps } = await importSteps(archive(entry({ request, response: unauthorized })))

  expect(steps[0]).not.toHaveProperty('as')
})

test('a request that was refused for its key had one, also where the browser left it out', async () => {
  const { steps } = await importSteps(archive(entry({ response: unauthorized })))

  expect(steps[0]).toMatchObject({ headers: { authorization: expect.stringMatching(/^Bearer /) } })
})

test('a key that a service no longer accepts was revoked', async () => {
  const request = { headers: bearer('phx_mine1234567890') }

  const { steps } = await importSteps(
    archive(entry({ request }), entry({ request, response: unauthorized })),
  )

  expect(steps[1]).toEqual({ revoke: 'key-1' })
})

test('a response that no value explains decides no setting', async () => {
  const content = { text: '{"detail":"No.","code":"other"}' }
  const folder = temporaryFolder()
  writeFileSync(
    `${folder}/traffic.har`,
    archive(entry({ request: { url: `${list}9/` }, response: { status: 404, content } })),
  )

  const { stdout } = await run(['import', `${folder}/traffic.har`])

  expect(JSON.parse(stdout)).not.toHaveProperty('settings')
})

test('a request that the page cancelled at once is left out, and one that it waited for was lost', async () => {
  const lost = (time: number) =>
    entry({ response: { status: 0, _error: 'net::ERR_ABORTED' }, entry: { time } })

  const { steps, printed } = await importSteps(archive(entry(), lost(40), lost(30_000)))

  const requests = steps.filter((step) => 'method' in step)
  expect(requests).toMatchObject([{ expect: { status: 200 } }, { expect: { broken: true } }])
  expect(printed).toContain('left out: 1 canceled by the page')
})
