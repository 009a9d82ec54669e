import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { findScenarioIssues } from '../../../src/scenarios/format/check-scenario.ts'
import { run } from '../../support/cli/command.ts'
import { startServe } from '../../support/cli/serve.ts'
import { temporaryFolder } from '../../support/files.ts'
import { startHttpServer } from '../../support/http-server.ts'

const path = '/api/projects/1/annotations/1/'

const row = {
  content: 'Ask grace@canary.test',
  created_by: { first_name: 'Grace', email: 'grace@canary.test' },
  api_token: 'canary-token-1',
  notes: ['uses canary-token-1', 'plain'],
  'x-shop': 'canary-shop',
  count: 3,
}

const bodies = {
  json: ['application/json', JSON.stringify(row)],
  text: ['text/plain', 'By grace@canary.test'],
  bytes: ['application/octet-stream', Buffer.from('\xff', 'latin1')],
  secret: ['application/octet-stream', Buffer.from('\xffof phx_canary0123456789', 'latin1')],
} as const

const startService = () =>
  startHttpServer((request, response) => {
    const [, part = 'json'] = /(text|bytes|secret)\/$/.exec(request.url ?? '') ?? []
    const [type, body] = bodies[part as keyof typeof bodies]
    response.setHeader('content-type', type)
    response.setHeader('x-api-key', 'canary-header')
    response.end(body)
  })

/** Updates a file, and returns its expectations. */
async function update(target: string, expectations: object[], ...flags: string[]) {
  const file = join(temporaryFolder(), 'story.json')
  const steps = expectations.map((expect) => ({
    method: 'GET',
    path: path + ('text' in expect ? 'text/' : 'base64' in expect ? expect.base64 : ''),
    expect: 'base64' in expect ? { base64: 'AAAA' } : expect,
  }))
  writeFileSync(file, JSON.stringify({ title: 'Story', world: 'default', steps }))
  const { stdout } = await run(['replay', file, '--target', target, '--update', ...flags])
  expect(stdout).toContain('Updated')
  const text = readFileSync(file, 'utf8')
  const scenario = JSON.parse(text)
  expect(findScenarioIssues(scenario)).toEqual([])
  return { file, text, written: scenario.steps.map((step: { expect: object }) => step.expect) }
}

const outdated = [
  { exact_body: {} },
  { body: { created_by: { first_name: 'Ada' }, api_token: '', notes: ['uses it', 'plain'] } },
  { headers: { 'x-api-key': 'old' } },
  { text: 'An earlier text' },
  { body: { 'x-shop': 'blue' } },
  { base64: 'bytes/' },
  { base64: 'secret/' },
  { broken: true },
]

test('--update writes no secret and no personal data of another service', async () => {
  const service = await startService()
  const { file, text, written } = await update(service, outdated, '--redact', 'X-Shop')

  for (const canary of ['canary', 'Grace', 'replaced-']) expect(text).not.toContain(canary)
  const hidden = { $match: 'text' }
  const body = {
    content: { $match: 'text' },
    created_by: { first_name: hidden, email: hidden },
    api_token: hidden,
    notes: [{ $match: 'text' }, 'plain'],
    'x-shop': hidden,
    count: 3,
  }
  expect(written).toEqual([
    { exact_body: body },
    {
      body: { created_by: { first_name: hidden }, api_token: hidden, notes: body.notes },
    },
    { headers: { 'x-api-key': hidden } },
    {},
    { body: { 'x-shop': hidden } },
    { base64: '/w==' },
    {},
    { status: 200, body },
  ])
  expect(await run(['replay', file, '--target', service])).toMatchObject({ code: 0 })
})

test('with --keep, --update writes the responses of another service as they are', async () => {
  const { written } = await update(await startService(), outdated.slice(0, 1), '--keep')

  expect(written).toEqual([{ exact_body: row }])
})

test('--update keeps the persons of an Understudy server', async () => {
  const { url } = await startServe()
  const file = join(temporaryFolder(), 'story.json')
  const body = { created_by: { first_name: 'Grace' } }
  const steps = [{ as: 'all', method: 'GET', path, expect: { body } }]
  writeFileSync(file, JSON.stringify({ title: 'Story', world: 'default', steps }))

  await run(['replay', file, '--target', url, '--update'])

  expect(readFileSync(file, 'utf8')).toContain('"first_name":"Ada"')
})
