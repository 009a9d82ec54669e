import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { exchangesToHar } from '../../src/adapters/har/write-har.ts'
import { run } from '../support/cli/command.ts'
import { startRecord } from '../support/cli/record.ts'
import { startServe } from '../support/cli/serve.ts'
import { temporaryFile, temporaryFolder } from '../support/files.ts'
import { startHttpServer } from '../support/http-server.ts'
import { findKeys, opaqueKey, serviceLikeKey } from '../support/scenarios/secrets.table.ts'
import { writeScenarioFile } from '../support/scenarios/story.ts'
import { createExchange } from '../support/traffic.ts'
import { Client } from '../support/transports/client.ts'

const path = '/api/projects/1/annotations/'

test('a secret of 100,000 characters is hidden at every door, and stops none', async () => {
  const long = 'canary-500-of-0123456789+/='.repeat(4_000)
  const out = `${temporaryFolder()}/story.json`
  const target = await startServe(['--profile', 'live'])
  const proxy = await startRecord(target.url, '--out', out)
  const body = { content: 'x', signature: long }
  const har = temporaryFile(JSON.stringify(exchangesToHar([createExchange({ received: body })])))

  await new Client(proxy.url).ask('POST', path, { body })
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
  expect([imported.code, recorded.code, texts.includes('canary')]).toEqual([0, 0, false])
  expect(files.map((text) => text.includes('replaced-secret-1'))).toEqual([true, true])
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

test('replay masks a key that the server repeats, also in reports', async () => {
  const expected = { status: 404, body: { detail: 'Not found.', token: 'other' } }
  const url = await startHttpServer(({ headers }, response) => {
    const detail = `No row for ${headers.authorization}`
    response.writeHead(404).end(JSON.stringify({ detail, token: 'of-the-server' }))
  })
  const folder = temporaryFolder()
  const reports = ['json', 'txt', 'xml'].map((type) => `${folder}/r.${type}`)

  const { code, stdout, stderr } = await run([
    ...[
      'replay',
      writeScenarioFile([{ as: 'all', method: 'GET', path: `${path}99/`, expect: expected }]),
      '--target',
      url,
      '--key',
      'phx_eve',
    ],
    ...reports.flatMap((file) => ['--report', file]),
  ])

  const written = reports.map((file) => readFileSync(file, 'utf8'))
  expect(code).toBe(1)
  for (const text of [stdout, ...written]) expect.soft(text).toContain('phx_…')
  expect([stdout, stderr, ...written].join('')).not.toMatch(/phx_eve|of-the-server/)
})
