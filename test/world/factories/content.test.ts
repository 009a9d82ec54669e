import { expect, test } from 'vitest'
import { generate } from '../../../src/factories.ts'
import { listsOf } from '../../support/world-lists.ts'

const now = '2024-06-15T12:00:00Z'
const { annotations, plugins, plugin_configs, users } = listsOf(
  generate({
    now,
    plugin_configs: [{ id: 500, plugin: 9 }],
    generate: {
      ...{ users: 50, dashboard_items: 20, plugins: 200, plugin_configs: 300 },
      annotations: 600,
    },
  }),
)

test('rows are created before now, and saved then or later', () => {
  for (const { created_at, updated_at = '' } of [...annotations, ...plugin_configs]) {
    expect
      .soft(created_at && created_at < now && created_at <= updated_at && updated_at < now)
      .toBe(true)
  }
})

test('a row that was updated before others were created is not created after its update', () => {
  const updated_at = '2020-01-01T00:00:00.000000Z'
  const rows = listsOf(
    generate({ now, annotations: Array.from({ length: 20 }, () => ({ updated_at })) }),
  ).annotations

  expect(rows.map((row) => row.updated_at)).toEqual(Array(20).fill(updated_at))
  expect(rows.filter((row) => (row.created_at ?? '') > updated_at)).toEqual([])
})

test('annotations have each scope and type, some are deleted, and some have no date marker', () => {
  const of = <Field extends keyof (typeof annotations)[number]>(field: Field) =>
    new Set(annotations.map((row) => row[field]))

  expect(of('scope')).toEqual(new Set(['dashboard_item', 'project', 'organization']))
  expect(of('creation_type')).toEqual(new Set(['USR', 'GIT']))
  expect(of('deleted')).toEqual(new Set([false, true]))
  expect(of('date_marker')).toContain(null)
  expect(annotations.every(({ content }) => content && !content.includes('{'))).toBe(true)
})

test('e-mail addresses are at example.com, and unique', () => {
  expect(users.every(({ email }) => /^[a-z.]+\d+@example\.com$/.test(email))).toBe(true)
  expect(new Set(users.map(({ email }) => email)).size).toBe(users.length)
})

test('the URL, tags and source files of a plugin match its type', () => {
  expect(new Set(plugins.map(({ plugin_type }) => plugin_type))).toEqual(
    new Set(['custom', 'repository', 'source', 'local']),
  )
  for (const { plugin_type, url, tag, source, name, config_schema } of plugins) {
    if (plugin_type === 'source') {
      expect
        .soft([url, tag, Object.keys(source ?? {})])
        .toEqual([null, null, ['plugin.json', 'index.ts']])
      expect.soft(JSON.parse(source?.['plugin.json'] as string)).toMatchObject({
        name,
        config: config_schema,
      })
    } else if (plugin_type === 'local') {
      expect.soft([url?.startsWith('file:/'), tag, source]).toEqual([true, null, {}])
    } else {
      expect.soft(url).toMatch(/^https:\/\/github\.com\/[^/]+\/[a-z\d-]+$/)
      expect.soft(tag).toMatch(plugin_type === 'repository' ? /^\d+\.\d+\.\d+$/ : /^[0-9a-f]{7}$/)
    }
  }
  const urls = plugins.flatMap(({ url }) => url ?? [])
  expect(new Set(urls).size).toBe(urls.length)
})
