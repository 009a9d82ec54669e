import { readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { expect, test } from 'vitest'
import { exchangesToHar } from '../../src/adapters/har/write-har.ts'
import type { RequestStep, Scenario } from '../../src/index.ts'
import { run } from '../support/cli/command.ts'
import { temporaryFile } from '../support/files.ts'
import { root } from '../support/root.ts'
import { createExchange } from '../support/scenarios/exchanges.ts'
import { sessionArchive } from '../support/scenarios/har.ts'

const madeUp =
  'The list of project 1 counted 4 rows that no response shows. The world has 4 of them, with content that is made up.\n'

const chromium = `${root}test/adapters/har/archives/chromium.har`

/** The requests of the session. */
const requests = [
  'GET /api/projects/1/annotations/?limit=2',
  'POST /api/projects/1/annotations/',
  'PATCH /api/projects/1/annotations/{annotation_id}/',
  'GET /api/projects/1/annotations/{annotation_id}/',
  'DELETE /api/projects/1/annotations/{annotation_id}/',
  'PATCH /api/projects/1/annotations/{annotation_id}/',
  'GET /api/projects/1/annotations/{annotation_id}/',
  'GET /api/projects/1/annotations/?search=launch%20day',
]

test('import converts an archive of Chromium to a scenario that can be replayed', async () => {
  const out = temporaryFile('')

  const imported = await run(['import', sessionArchive('chromium'), '--out', out])

  expect(imported).toEqual({
    code: 0,
    stdout: `${out}: 8 requests to http://127.0.0.1:38081; left out: 4 to other URLs, 4 CORS preflights.\n`,
    stderr: madeUp,
  })
  const { title, steps } = scenarioIn(out)
  expect(title).toBe('Delete annotation: refused with 405')
  expect(steps.map(({ as, method, path }) => `${as} ${method} ${path}`)).toEqual(
    requests.map((line) => `all ${line}`),
  )
  expect(steps[1]).toMatchObject({
    body: { content: 'Launch 🦔' },
    expect: { status: 201, exact_body: { id: { $match: 'id' }, content: 'Launch 🦔' } },
    save: { annotation_id: '/id' },
  })
  expect(await run(['replay', out])).toMatchObject({ code: 0 })
})

const list = { url: '/api/projects/1/annotations/', received: { count: 0, results: [] } }

test('without failures, the title names the archive; --title is another one', async () => {
  const file = archive([createExchange(list)])

  const plain = await run(['import', file])
  const titled = await run(['import', file, '--title', 'A quiet day'])

  expect(JSON.parse(plain.stdout).title).toBe(`Imported from ${basename(file)}`)
  expect(JSON.parse(titled.stdout).title).toBe('A quiet day')
})

test('without --out, import prints the scenario to stdout, and nothing else', async () => {
  const out = temporaryFile('')

  const printed = await run(['import', chromium])
  await run(['import', chromium, '--out', out])

  expect(printed).toEqual({
    code: 0,
    stdout: readFileSync(out, 'utf8'),
    stderr: `8 requests to http://127.0.0.1:38081; left out: 4 to other URLs, 4 CORS preflights.\n${madeUp}`,
  })
  expect(await run(['import', chromium, '--json'])).toMatchObject({
    code: 2,
    stderr: '--json requires --out. Without it, the scenario is printed to stdout.\n',
  })
})

test('--key names a key of the archive, also one that has the label of a key of default', async () => {
  const file = archive(
    ['phx_mine_1', 'phx_mine_2', 'phx_mine_3'].map((bearer) => createExchange({ bearer })),
  )
  const out = temporaryFile('')

  const keys = ['all=phx_mine_1', 'other=phx_mine_2', 'phx_mine_3']
  await run(['import', file, '--out', out, ...keys.flatMap((key) => ['--key', key])])

  expect(scenarioIn(out).steps.flatMap(({ as }) => as ?? [])).toEqual(['all', 'other', 'key'])
})

test('import replaces secrets and personal data, except with --keep', async () => {
  const body = { created_by: { email: 'canary@example.org', first_name: 'Canary' } }
  const file = archive([createExchange({ bearer: 'phx_canary_of_another_user', received: body })])
  const out = temporaryFile('')

  await run(['import', file, '--out', out])
  const replaced = readFileSync(out, 'utf8')
  await run(['import', file, '--out', out, '--keep', '--force'])

  expect(replaced).not.toMatch(/canary/i)
  expect(readFileSync(out, 'utf8')).toContain('canary@example.org')
})

test('--base selects one of several services', async () => {
  const other = { ...createExchange({}), url: 'http://a.test/api/projects/' }
  const page = { ...other, url: 'http://a.test/apidocs' }
  const [file, out] = [archive([createExchange({}), other, page]), temporaryFile('')]

  const both = await run(['import', file, '--out', out])
  const first = await run(['import', file, '--out', out, '--base', 'HTTP://A.test:80/', '--force'])

  expect(both).toMatchObject({
    code: 2,
    stderr: `${file} has requests to several base URLs: 1 to https://api.example.com, 1 to http://a.test. Choose one with --base.\n`,
  })
  expect(first).toMatchObject({
    code: 0,
    stdout: `${out}: 1 request to http://a.test; left out: 2 to other URLs.\n`,
  })
})

function archive(exchanges: Parameters<typeof exchangesToHar>[0]): string {
  return temporaryFile(JSON.stringify(exchangesToHar(exchanges)))
}

function scenarioIn(file: string): Omit<Scenario, 'steps'> & { steps: RequestStep[] } {
  return JSON.parse(readFileSync(file, 'utf8'))
}

test.each([
  [['https://a.test/logo.png'], '2 entries: 2 to other URLs', 2],
  [[], '1 entry: 1 to other URLs', 1],
])(
  'an archive of another API names its first request to an API, after %j',
  async (before, what, entry) => {
    const urls = [...before, 'https://a.test/api/project/7/annotations/?token=secret']
    const file = archive(urls.map((url) => ({ ...createExchange({}), url })))

    const { code, stderr } = await run(['import', file])

    expect([code, stderr]).toEqual([
      2,
      `${file} has no request to the API (${what}). Entry ${entry} is GET https://a.test/api/project/7/annotations/. If one of them is, set the base URL of the API with --base.\n`,
    ])
  },
)
