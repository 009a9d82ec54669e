import { expect, test } from 'vitest'
import { exchangesToHar } from '../../src/adapters/har/write-har.ts'
import type { ImportFileOptions } from '../../src/import/import-file.ts'
import { createSimulator, type RequestStep } from '../../src/index.ts'
import { annotationsPath } from '../support/api/paths.ts'
import { createExchange } from '../support/traffic.ts'
import { importText } from './import-text.ts'

const importAll = (
  exchanges: Parameters<typeof exchangesToHar>[0],
  options: ImportFileOptions = {},
) => importText(JSON.stringify(exchangesToHar(exchanges)), options, 'a.har')

test('a key of the archive can be named, also by the label of a key of default', async () => {
  const bearers = ['phx_mine_1', 'phx_mine_2', 'phx_mine_3']
  const key = { keys: { all: 'phx_mine_1', other: 'phx_mine_2' }, key: 'phx_mine_3' }

  const { scenario } = await importAll(
    bearers.map((bearer) => createExchange({ bearer })),
    { key },
  )

  const steps: RequestStep[] = scenario.steps
  expect(steps.flatMap(({ as }) => as ?? [])).toEqual(['all', 'other', 'key'])
})

test('secrets and personal data are replaced, unless they are kept', async () => {
  const body = { created_by: { id: 3, email: 'canary@example.org', first_name: 'Canary' } }
  const exchange = createExchange({ bearer: 'phx_canary_of_another_user', received: body })

  expect((await importAll([exchange])).text).not.toMatch(/canary/i)
  expect((await importAll([exchange], { keep: true })).text).toContain('canary@example.org')
})

test('a base URL selects one of several services', async () => {
  const other = { ...createExchange({}), url: 'http://a.test/api/projects/' }
  const exchanges = [createExchange({}), other, { ...other, url: 'http://a.test/apidocs' }]

  await expect(importAll(exchanges)).rejects.toThrow(
    'a.har has requests to several base URLs: 1 to https://api.example.com, 1 to http://a.test. Choose one with --base.',
  )
  expect((await importAll(exchanges, { base: 'HTTP://A.test:80/' })).says).toBe(
    '1 request to http://a.test; left out: 2 to other URLs.',
  )
})

test('an archive of another API says what it has', async () => {
  const exchange = { ...createExchange({}), url: 'https://a.test/api/project/7/annotations/' }

  await expect(importAll([exchange])).rejects.toThrow(
    'a.har has no request to the API (1 entry: 1 to other URLs). If one of them is, set the base URL of the API with --base.',
  )
  await expect(importText('[{"scope": "https://a.test:443"}]')).rejects.toThrow(/no entry with/)
  await expect(importText('{"log": {"entries": []}}')).rejects.toThrow(/ has no entries\. /)
})

const simulator = createSimulator()
await simulator.fetch(annotationsPath)
const entries = simulator.journal.find()
const lines = entries.map((entry) => JSON.stringify(entry)).join('\n')

test.each<[kind: string, file: unknown]>([
  ['a cassette of VCR', 'interactions:\n- request:\n'],
  ['a session of Proxyman', [{ request: { fullPath: '/api/' } }]],
  ['a session of Charles', [{ scheme: 'https', host: 'api.example.com', request: {} }]],
  ['compressed with gzip', '\x1f\ufffd'],
  ['a journal. Export it as a HAR archive', entries],
  ['a journal. Export it as a HAR archive', lines],
  ['a contract of Pact', { consumer: {}, provider: {}, interactions: [] }],
])('a file is refused as %s', async (kind, file) => {
  const text = typeof file === 'string' ? file : JSON.stringify(file)

  const imported = importText(text, {}, 'other.json')

  const message = expect.stringContaining(`other.json is ${kind}`)
  await expect(imported).rejects.toMatchObject({ message })
})
