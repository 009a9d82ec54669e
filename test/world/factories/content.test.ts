import { expect, test } from 'vitest'
import { generate } from '../../../src/factories.ts'
import { listsOf } from '../../support/world-lists.ts'

const now = '2024-06-15T12:00:00Z'
const { annotations, plugins, plugin_configs, activity, users } = listsOf(
  generate({
    now,
    plugin_configs: [{ id: 500, plugin: 9 }],
    generate: {
      users: 50,
      dashboard_items: 20,
      plugins: 200,
      plugin_configs: 300,
      annotations: 5000,
      activity: 200,
    },
  }),
)

const contents = (pattern: RegExp) =>
  annotations.filter(({ content }) => pattern.test(content ?? ''))
const share = (part: unknown[]) => part.length / annotations.length

test('annotations are created before now, and updated after they are created', () => {
  for (const { created_at, updated_at } of annotations) {
    expect(created_at && created_at < now && created_at < updated_at && updated_at < now).toBe(true)
  }
})

test('a row that was updated before others were created is still created before its update', () => {
  const updated_at = '2020-01-01T00:00:00.000000Z'
  const rows = listsOf(
    generate({ now, annotations: Array.from({ length: 20 }, () => ({ updated_at })) }),
  ).annotations

  expect(rows.map((row) => row.updated_at)).toEqual(Array(20).fill(updated_at))
  expect(rows.filter((row) => (row.created_at ?? '') >= updated_at)).toEqual([])
})

test('an annotation is created soon after its date marker', () => {
  for (const { date_marker, created_at } of annotations) {
    if (date_marker === null) continue
    const delay = Date.parse(created_at as string) - Date.parse(date_marker)
    expect([delay > 0, delay < 4 * 3_600_000]).toEqual([true, true])
  }
})

test('scopes and creation types are distributed as in a real project', () => {
  const of = (field: 'scope' | 'creation_type', value: string) =>
    share(annotations.filter((row) => row[field] === value))
  expect(of('scope', 'dashboard_item')).toBeGreaterThan(0.6)
  expect(of('scope', 'project')).toBeGreaterThan(0.15)
  expect(of('scope', 'organization')).toBeLessThan(0.08)
  expect(of('scope', 'organization')).toBeGreaterThan(0.03)
  expect(of('creation_type', 'GIT')).toBeGreaterThan(0.08)
  expect(share(annotations.filter(({ deleted }) => deleted))).toBeCloseTo(0.03, 1)
  expect(share(annotations.filter(({ date_marker }) => date_marker === null))).toBeCloseTo(0.02, 1)
  expect(contents(/./)).toHaveLength(annotations.length)
})

test('annotations of a deployment name a commit', () => {
  for (const { content, creation_type } of annotations) {
    expect(/\([0-9a-f]{7}\) to production$/.test(content ?? '')).toBe(creation_type === 'GIT')
  }
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
      expect([url, tag, Object.keys(source ?? {})]).toEqual([
        null,
        null,
        ['plugin.json', 'index.ts'],
      ])
      expect(JSON.parse(source?.['plugin.json'] as string)).toMatchObject({
        name,
        config: config_schema,
      })
    } else if (plugin_type === 'local') {
      expect([url?.startsWith('file:/'), tag, source]).toEqual([true, null, {}])
    } else {
      expect(url).toMatch(/^https:\/\/github\.com\/[^/]+\/[a-z-]+$/)
      expect(tag).toMatch(plugin_type === 'repository' ? /^\d+\.\d+\.\d+$/ : /^[0-9a-f]{7}$/)
    }
  }
  const urls = plugins.flatMap(({ url }) => url ?? [])
  expect(new Set(urls).size).toBe(urls.length)
})

test('most plugins list the fields of their configuration, and others have an object of fields', () => {
  const lists = plugins.filter(({ config_schema }) => Array.isArray(config_schema))

  expect(lists.length / plugins.length).toBeGreaterThan(0.6)
  expect(lists.length / plugins.length).toBeLessThan(0.9)
})

test('the latest version of a plugin is not before its own', () => {
  const versioned = plugins.filter(({ plugin_type }) => plugin_type === 'repository')
  const majorOf = (tag: string | null) => Number(tag?.split('.')[0])
  const newer = versioned.filter(({ tag, latest_tag }) => tag !== latest_tag)

  expect(newer.length).toBeGreaterThan(5)
  for (const { tag, latest_tag } of newer) {
    expect(majorOf(latest_tag), `${tag} ${latest_tag}`).toBeGreaterThan(majorOf(tag))
  }
})

test('projects have names of their own', () => {
  const { projects } = listsOf(generate({ generate: { projects: 60 } }))

  expect(new Set(projects.map(({ name }) => name)).size).toBe(60)
})

test('generated plugins have ids from the next id on', () => {
  const world = generate({ generate: { plugins: 3 }, next_ids: { plugins: 50 } })

  expect(listsOf(world).plugins.map(({ id }) => id)).toEqual([50, 51, 52])
  expect(world.next_ids?.plugins).toBe(53)
})

test('a plugin configuration has a value for each field of its schema', () => {
  for (const { plugin, config } of plugin_configs) {
    const { config_schema } = plugins.find(({ id }) => id === plugin) ?? {}
    const keys = Object.values(config_schema as object).map(({ key }) => key)
    expect(Object.keys(config)).toEqual(keys)
  }
})

test('an activity entry names its plugin', () => {
  for (const { scope, item_id, detail } of activity) {
    const config = plugin_configs.find(({ id }) => id === Number(item_id))
    const plugin = scope === 'Plugin' ? Number(item_id) : config?.plugin
    expect(detail?.name).toBe(plugins.find(({ id }) => id === plugin)?.name)
  }
})
