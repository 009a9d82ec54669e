import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { exchangesToHar } from '../../../src/adapters/har/write-har.ts'
import type { ComparedSetting, Unexplained } from '../../../src/compare/comparison.ts'
import type { SimulatorOptions } from '../../../src/simulator/options.ts'
import { createSimulator, type Simulator } from '../../../src/simulator/simulator.ts'
import { acme, annotationsPath, pluginsPath } from '../../support/api/paths.ts'
import { run } from '../../support/cli/command.ts'
import { temporaryFile, temporaryFolder } from '../../support/files.ts'
import { createExchange } from '../../support/scenarios/exchanges.ts'
import { createPage, createTraffic } from '../../support/scenarios/traffic.ts'
import { initOf } from '../../support/transports/client.ts'

interface Compared {
  readonly compared: number
  readonly explained: number
  readonly settings: readonly ComparedSetting[]
  readonly unexplained: readonly Unexplained[]
}

async function compare(content: unknown, ...flags: readonly string[]): Promise<Compared> {
  const file = temporaryFile(JSON.stringify(content))
  const { stdout, stderr } = await run(['compare', file, ...flags, '--json'])
  expect(stderr).toBe('')
  return JSON.parse(stdout)
}

function valuesOf({ settings }: Compared): Record<string, unknown> {
  const known = settings.filter(({ value }) => value !== null)
  return Object.fromEntries(known.map(({ id, value }) => [id, value]))
}

/** A service that a client has used. */
async function useService(options: SimulatorOptions): Promise<Simulator> {
  const service = createSimulator({ clock: '2024-06-15T12:00:00Z', ...options })
  const send = (method: string, path: string, body?: unknown) =>
    service.fetch(path, initOf(method, { body }))
  await send('GET', annotationsPath)
  await send('PATCH', `${annotationsPath}1/`, { content: 'Launch' })
  await send('GET', `${annotationsPath}99/`)
  await send('DELETE', `${annotationsPath}2/`)
  await send('GET', `${annotationsPath}2/?search=nothing`)
  return service
}

const hidden = {
  'annotations.search.reach': 'every_lookup',
  'annotations.delete.status': 403,
} as const

test('compare reads a scenario and an archive, and says what stays open', async () => {
  const service = await useService({ settings: hidden })

  const recorded = await compare(service.record().scenario)
  const archived = await compare(service.journal.toHar())

  for (const compared of [recorded, archived]) {
    expect.soft(valuesOf(compared)).toMatchObject({
      'annotations.delete.status': '403',
      'errors.body': 'envelope',
    })
    expect.soft(compared).toMatchObject({ compared: 5, explained: 5, unexplained: [] })
    const reach = { id: 'annotations.search.reach', value: 'every_lookup', open: null }
    expect.soft(compared.settings).toContainEqual(expect.objectContaining(reach))
  }
  const { settings } = recorded
  expect(settings.find(({ id }) => id === 'annotations.deleted.visibility')).toMatchObject({
    value: null,
    or: ['retrievable'],
    ...{ open: 'several_fit', advice: 'record' },
    reason: expect.stringMatching(
      /^hidden and retrievable fit\. GET \/api\/projects\/\{project_id\}\/annotations\/.* may show it\.$/,
    ),
  })
})

interface Page {
  readonly count: number
  readonly results: readonly Readonly<Record<string, unknown>>[]
}

/** An archive of reads of the annotations, with one minute between them. */
function archiveOf(pages: readonly unknown[], authorization = 'Bearer phx_mine'): unknown {
  const entries = pages.map((page, index) => ({
    startedDateTime: `2024-05-01T10:0${index}:00.000Z`,
    time: 10,
    request: {
      method: 'GET',
      url: `https://app.example.com${annotationsPath}`,
      headers: [{ name: 'Authorization', value: authorization }],
    },
    response: {
      status: 200,
      headers: [{ name: 'Content-Type', value: 'application/json' }],
      content: { mimeType: 'application/json', text: JSON.stringify(page) },
    },
  }))
  return { log: { version: '1.2', creator: { name: 'a browser', version: '1' }, entries } }
}

async function readPage(options: SimulatorOptions): Promise<Page> {
  const service = createSimulator({ clock: '2024-06-15T12:00:00Z', ...options })
  const response = await service.fetch(annotationsPath, initOf('GET', {}))
  return (await response.json()) as Page
}

test('--world names the world that an archive started with', async () => {
  const archive = (await useService({ settings: hidden })).journal.toHar()

  const right = await compare(archive, '--world', 'default')
  const wrong = await compare(archive, '--world', 'empty')

  expect(right.explained).toBe(right.compared)
  expect(wrong.explained).toBeLessThan(wrong.compared)
})

test('a value is the nearest, and fits not, if rows have fields that no value has, and lack others', async () => {
  const page = await readPage({ settings: { 'annotations.fields': 'july_2024' } })
  const results = page.results.map(({ insight_name: _, ...row }) => ({ ...row, tags: [], v: 1 }))
  const extended = { ...page, results }

  const compared = await compare(archiveOf([extended, extended]))

  const fields = compared.settings.find(({ id }) => id === 'annotations.fields')
  expect(fields).toMatchObject({
    ...{ value: null, open: 'further_fields' },
    reason:
      'No value fits: july_2024 is the nearest, but rows have the further fields tags and v, and lack insight_name.',
  })
  const requests = [1, 2].map((entry) => `entry ${entry} GET ${annotationsPath}`)
  expect(compared.unexplained).toEqual([
    { part: 'fields tags and v', got: 'present', simulated: 'absent', requests },
    { part: 'field insight_name', got: 'absent', simulated: 'present', requests },
  ])
})

test.each([
  [[], null],
  [
    ['--fail-on', 'unexplained'],
    ['<failure message="Not explained: field tags is present, and absent in a simulator.'],
  ],
])('with %j the JUnit report of what nothing explains has %j', async (flags, failures) => {
  const page = await readPage({})
  const results = page.results.map((row) => ({ ...row, tags: [] }))
  const folder = temporaryFolder({ 'a.har': archiveOf([{ ...page, results }]) as object })
  const xml = join(folder, 'report.xml')

  await run(['compare', join(folder, 'a.har'), '--report', xml, ...flags])

  expect(readFileSync(xml, 'utf8').match(/<failure message="[^"]*/g)).toEqual(failures)
})

test('rows that others create, change and remove between two reads contradict nothing', async () => {
  const page = await readPage({})
  const created = withNewest(page.results)
  const changed = created.map((row) => ({ ...row, content: 'Other' }))
  const pages = [page.results, created, changed, changed.slice(1)].map((results) => ({
    ...{ ...page, count: results.length, results },
  }))

  const compared = await compare(archiveOf(pages))

  expect(compared).toMatchObject({ compared: 4, explained: 4, unexplained: [] })
})

/** The service lists rows without a time first. */
function withNewest([first, second, ...others]: Page['results']): Page['results'] {
  const time = '2024-07-01T10:00:00Z'
  const newest = { ...second, id: 900, date_marker: time, created_at: time }
  return [first, newest, second, ...others] as Page['results']
}

test('a request that succeeded had a key, whatever a tool wrote in its place', async () => {
  const compared = await compare(archiveOf([await readPage({})], 'REDACTED'))

  expect(compared).toMatchObject({ compared: 1, explained: 1, unexplained: [] })
})

test('a response without a recorded body shows that its row exists', async () => {
  const archive = archiveOf([{}]) as {
    log: { entries: [{ request: { url: string }; response: object }] }
  }
  const [entry] = archive.log.entries
  entry.request.url += '9/'
  const content = { mimeType: 'application/json', size: 530 }
  entry.response = { status: 200, headers: [], content }

  const compared = await compare(archive)

  expect(compared).toMatchObject({ compared: 1, explained: 1, unexplained: [] })
})

test('the profile live explains a plugin with a newer version', async () => {
  const service = createSimulator({ profile: 'live', clock: '2024-06-15T12:00:00Z' })
  for (const path of [pluginsPath, `${pluginsPath}21/check_for_updates/`, pluginsPath]) {
    await service.fetch(path, { headers: { authorization: 'Bearer phx_old' } })
  }

  const compared = await compare(service.journal.toHar(), '--profile', 'live')

  expect(compared).toMatchObject({ compared: 3, explained: 3, unexplained: [] })
  const body = compared.settings.find(({ id }) => id === 'plugins.other.body')
  expect(body).toMatchObject({ value: null, or: ['envelope'] })
})

const refusal = (detail: string) => {
  return { type: 'authentication_error', code: 'permission_denied', detail, attr: null }
}
const plugin = { id: 71, plugin_type: 'source', name: 'P', organization_id: acme }
const own = "API key missing required scope 'plugin:read'"

test.each<[refused: string, status: number, received: unknown, values: object]>([
  ['in other words', 403, refusal('Token lacks plugin:read'), { 'errors.body': 'envelope' }],
  ['in its own words', 403, refusal(own), { 'errors.body': 'envelope' }],
  ['in a list', 403, [refusal(own)], { 'errors.body': 'list' }],
  ['as if nothing was there', 404, refusal('Not found.'), {}],
])(
  'a key that may not read plugins says nothing about one that may: refused %s',
  async (_, status, received, values) => {
    const source = `${pluginsPath}71/source/`
    const traffic = createTraffic(
      { url: pluginsPath, bearer: 'all', received: createPage(plugin) },
      { url: pluginsPath, bearer: 'few', status, received },
      { url: source, bearer: 'all', received: plugin },
      { url: source, bearer: 'few', status, received },
    )

    const found = valuesOf(await compare(exchangesToHar(traffic)))

    expect(found).toMatchObject(values)
    expect([undefined, 'plugin_scopes']).toContain(found['plugins.other.scope'])
  },
)

test('a request without a key stays one if other requests have a key', async () => {
  const denied = { ...refusal('No key.'), code: 'not_authenticated' }
  const traffic = [
    ...createTraffic({ received: createPage() }),
    createExchange({ status: 403, received: denied }),
  ]

  const found = valuesOf(await compare(exchangesToHar(traffic)))

  expect(found).toMatchObject({ 'keys.missing.status': '403', 'errors.body': 'envelope' })
})
