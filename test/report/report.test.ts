import { expect, test } from 'vitest'
import { endpoints } from '../../src/api/endpoints.ts'
import documentedApi from '../../src/api/openapi.json' with { type: 'json' }
import liveApi from '../../src/api/openapi.live.json' with { type: 'json' }
import { isEndpointEnabled } from '../../src/http/route.ts'
import type { ReportItem } from '../../src/report/run-report.ts'
import { settingIds } from '../../src/settings/setting.ts'
import { acme, annotationsPath } from '../support/api/paths.ts'
import { start } from '../support/lanes/start.ts'

const pluginsPath = `/api/organizations/${acme}/plugins/`

const used = (items: readonly ReportItem[]) =>
  items
    .filter(({ exercised }) => exercised)
    .map(({ operation, name, requests }) =>
      [operation, name, requests].filter((part) => part !== undefined).join(' '),
    )

test('a report has what the requests exercised, and nothing else', async () => {
  const { ask, simulator } = await start()
  simulator.faults.add({ operation: 'listProjects', effect: { error: 'throttled' } })
  await ask('GET', `${annotationsPath}?limit=2&serch=x`)
  await ask('GET', `${annotationsPath}?limit=2`)
  await ask('POST', annotationsPath, { body: { content: 'Launch', contnt: 'x' } })
  await ask('DELETE', `${annotationsPath}1/`)
  await ask('GET', '/api/projects/')
  await ask('GET', '/api/unknown/')

  const report = await simulator.report()

  const { requests, not_covered, unmatched, faults, mistakes } = report
  expect({ requests, not_covered, unmatched, faults }).toEqual({
    requests: 6,
    not_covered: 0,
    unmatched: 1,
    faults: 1,
  })
  expect(mistakes).toEqual(simulator.journal.mistakes())
  expect(mistakes.map(({ rule }) => rule)).toContain('ignored-input')
  expect(used(report.operations)).toEqual([
    'listAnnotations 2',
    'createAnnotation 1',
    'deleteAnnotation 1',
    'listProjects 1',
  ])
  expect(used(report.statuses)).toEqual([
    'listAnnotations 200 2',
    'createAnnotation 201 1',
    'deleteAnnotation 405 1',
    'listProjects 429 1',
  ])
  expect(report.settings.find(({ name }) => name === 'annotations.delete.status')).toEqual({
    name: 'annotations.delete.status',
    question: 'What does DELETE …/annotations/:id return?',
    settings: ['405'],
    evidence: 'assumed',
    source: 'the documentation says that the caller is told to use PATCH, and shows no status',
    exercised: true,
    requests: 1,
  })
  expect(report.settings.find(({ name }) => name === 'plugins.create.required')).toMatchObject({
    settings: ['none'],
    exercised: false,
    requests: 0,
  })
})

test('a report has the scopes that each key used, and those that it did not use', async () => {
  const { ask, simulator } = await start()
  simulator.keys.issue({
    value: 'key-of-a-client',
    label: 'client',
    scopes: ['annotation:read', 'annotation:write', 'plugin:read', 'project:read'],
  })
  const key = 'key-of-a-client'
  await ask('GET', annotationsPath, { key })
  await ask('GET', `${pluginsPath}unused/`, { key })
  await ask('POST', pluginsPath, { key, body: {} })
  await ask('GET', annotationsPath)

  const { keys } = await simulator.report()

  expect(keys).toEqual([
    {
      key: 'client',
      scopes: ['annotation:read', 'annotation:write', 'plugin:read', 'project:read'],
      used: ['annotation:read', 'plugin:read'],
      unused: ['annotation:write', 'project:read'],
      refused: ['createPlugin'],
      sentence:
        'Key client used only annotation:read, plugin:read. It has annotation:read, annotation:write, plugin:read, project:read.',
    },
    {
      key: 'all',
      scopes: ['*'],
      used: ['annotation:read'],
      unused: ['*'],
      refused: [],
      sentence: 'Key all used only annotation:read. It has full access.',
    },
  ])
})

test.each([
  ['405', '404'],
  ['404', '405'],
] as const)('of a status that was %s and %s, the least certain one counts', async (...values) => {
  const { ask, simulator } = await start()
  for (const value of values) {
    simulator.settings.set({ 'annotations.delete.status': value })
    await ask('DELETE', `${annotationsPath}1/`)
  }
  simulator.settings.set({ 'annotations.delete.status': '405' })

  const { settings } = await simulator.report()

  expect(settings.find(({ name }) => name === 'annotations.delete.status')).toMatchObject({
    settings: ['404', '405'],
    evidence: 'assumed',
    requests: 2,
  })
})

test.each([
  ['header', 'header_body_query'],
  ['header_body_query', 'header'],
] as const)(
  'of a setting that was set to %s and %s, the least certain value counts',
  async (...values) => {
    const { ask, simulator } = await start()
    for (const value of values) {
      simulator.settings.set({ 'keys.places': value })
      await ask('GET', annotationsPath, { key: null })
    }

    const { settings } = await simulator.report()

    expect(settings.find(({ name }) => name === 'keys.places')).toMatchObject({
      settings: values,
      evidence: 'observed',
    })
  },
)

test.each([202, 599])('the status %i that only a fault has is listed', async (status) => {
  const { ask, simulator } = await start()
  simulator.faults.add({ operation: 'listAnnotations', effect: { status } })
  await ask('GET', annotationsPath)

  const { statuses } = await simulator.report()

  expect(statuses.filter(({ exercised }) => exercised)).toEqual([
    {
      operation: 'listAnnotations',
      name: String(status),
      exercised: true,
      requests: 1,
    },
  ])
})

test('the key of an inactive user used no scope', async () => {
  const { ask, simulator } = await start()
  const { user } = simulator.keys.list().find(({ value }) => value === 'phx_all') ?? {}
  simulator.world.users.update(user as number, { is_active: false })
  await ask('GET', annotationsPath)

  expect((await simulator.report()).keys).toEqual([])
})

test('the body limit counts only for a body that it could refuse', async () => {
  const { ask, simulator } = await start()
  const isExercised = async () =>
    (await simulator.report()).settings.find(({ name }) => name === 'limits.body')?.exercised

  await ask('POST', annotationsPath, { body: { content: 'Launch' } })
  const before = await isExercised()
  await ask('POST', annotationsPath, { body: { content: 'x'.repeat(1_100_000) } })

  expect([before, await isExercised()]).toEqual([false, true])
})

test('a report says how many requests the journal no longer has', async () => {
  const { ask, simulator } = await start({ journal: { entries: 2 } })
  for (let count = 0; count < 5; count++) await ask('GET', annotationsPath)

  expect(await simulator.report()).toMatchObject({ requests: 2, not_covered: 3 })
})

test('without a journal there is no report', async () => {
  const { simulator } = await start({ journal: { entries: 0 } })

  await expect(simulator.report()).rejects.toThrow(
    'A report needs the journal. Start with journal.entries above 0.',
  )
})

test.each(['documented', 'live'] as const)(
  'profile %s: every operation and status of the OpenAPI document is in a report exactly once',
  async (profile) => {
    const { ask, simulator } = await start({ profile })
    await ask('GET', annotationsPath)
    const settings = simulator.settings.values
    const { paths } = profile === 'live' ? liveApi : documentedApi
    const operations = Object.values(paths).flatMap((item) => Object.values(item)) as {
      operationId: string
      responses: object
    }[]

    const report = await simulator.report()

    const enabled = endpoints.filter((endpoint) => isEndpointEnabled(endpoint, settings))
    expect(report.operations.map(({ name }) => name)).toEqual(enabled.map(({ id }) => id))
    expect(report.settings.map(({ name }) => name)).toEqual(settingIds)
    expect(report.statuses.map(({ operation, name }) => `${operation} ${name}`).sort()).toEqual(
      operations
        .flatMap(({ operationId, responses }) =>
          Object.keys(responses).map((status) => `${operationId} ${status}`),
        )
        .sort(),
    )
    for (const kind of ['operations', 'statuses', 'settings'] as const) {
      const names = report[kind].map(({ operation, name }) => `${operation} ${name}`)
      expect(names).toEqual([...new Set(names)])
    }
  },
)
