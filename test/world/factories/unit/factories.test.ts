import { execFileSync } from 'node:child_process'
import { buildSync } from 'esbuild'
import { expect, test } from 'vitest'
import { factories } from '../../../../src/factories.ts'
import { createSimulator } from '../../../../src/index.ts'

test('makes one row at a time, complete, counting its ids', () => {
  const make = factories()
  const row = make.annotation({ content: 'Launch' })
  expect(Object.keys(row)).toEqual([
    'id',
    'content',
    'date_marker',
    'creation_type',
    'dashboard_item',
    'created_by',
    'created_at',
    'updated_at',
    'deleted',
    'scope',
    'project',
  ])
  expect(row).toMatchObject({ id: 1, content: 'Launch', project: 1 })
  expect(make.annotation({ id: 7 }).id).toBe(7)
  expect(make.annotation().id).toBe(8)
})

test('all rows it made are a world', () => {
  const make = factories({ seed: 7 })
  const { value } = make.key({ scopes: ['annotation:read'] })
  const launch = make.annotation({ content: 'Launch' })

  const simulator = createSimulator({ world: make.world() })
  expect(simulator.defaults.key).toBe(value)
  expect(simulator.world.annotations.list()).toEqual([launch])
})

test('a row belongs to the rows made before it', () => {
  const make = factories()
  const { id: organization } = make.organization({ name: 'Acme' })
  const project = make.project()
  const user = make.user()
  const item = make.dashboard_item()
  const plugin = make.plugin()
  const config = make.plugin_config()
  expect(project.organization).toBe(organization)
  expect(user.organizations).toEqual([organization])
  expect(plugin.organization).toBe(organization)
  expect([item.project, config.project, config.plugin]).toEqual([1, 1, 1])
  expect(make.key({ scopes: null })).toMatchObject({ user: user.id, label: 'old', scopes: null })
  expect(make.activity({ activity: 'enabled' })).toMatchObject({
    item_id: '1',
    scope: 'PluginConfig',
  })
  expect(make.repository_entry({ name: 'Tool' }).url).toMatch(/\/tool$/)
})

test('every kind can be made alone, and is a world with what it needs', () => {
  const { world: _, ...kinds } = factories()
  for (const kind of Object.keys(kinds) as (keyof typeof kinds)[]) {
    const make = factories({ seed: 3 })
    make[kind]()
    expect(() => createSimulator({ world: make.world() }), kind).not.toThrow()
  }
})

test('what it hands out is a copy', () => {
  const make = factories()
  const row = make.plugin({ config_schema: { host: { type: 'string' } } })
  Object.assign(row, { name: 'changed' })
  Object.assign(row.config_schema as object, { changed: true })
  expect(make.world().plugins?.[0]?.name).not.toBe('changed')
  expect(make.world().plugins?.[0]?.config_schema).toEqual({ host: { type: 'string' } })
})

test('a field that is undefined counts as left out', () => {
  expect(factories().annotation({ content: undefined }).content).toEqual(expect.any(String))
})

test('rows carry no symbols, and compare as what they are', () => {
  const row = factories().user()
  expect(Object.getOwnPropertySymbols(row)).toEqual([])
  expect(JSON.parse(JSON.stringify(row))).toStrictEqual(row)
})

test('wrong fields are refused by name', () => {
  const make = factories()
  const faulty = { scope: 'team', contents: 'Launch' }
  expect(() => make.annotation(faulty as never)).toThrow(
    [
      'Failed to make a row: expected fields of annotations. Change these:',
      '  annotation.scope: expected one of "dashboard_item", "dashboard", "project", "organization", "recording", "tag", got "team"',
      '  annotation: unknown field "contents"',
    ].join('\n'),
  )
  expect(make.world()).not.toHaveProperty('annotations')
})

test('what is no seed or no time is refused', () => {
  expect(() => factories({ seed: Number.NaN })).toThrow('expected a whole number as the seed')
  expect(() => factories({ now: 'yesterday' })).toThrow('an ISO 8601 time as now')
})

test('a process with a window ends after rows were made: no channel stays open', () => {
  const { outputFiles } = buildSync({
    stdin: {
      contents: `
        import { factories, generate } from './src/factories.ts'
        const Channel = globalThis.BroadcastChannel
        generate({ generate: { annotations: 10 } })
        factories().annotation()
        console.log(globalThis.BroadcastChannel === Channel)`,
      resolveDir: process.cwd(),
    },
    bundle: true,
    platform: 'node',
    format: 'cjs',
    write: false,
    logLevel: 'silent',
  })
  const code = `globalThis.window = globalThis\n${outputFiles[0]?.text}`
  const printed = execFileSync(process.execPath, ['-'], { input: code, timeout: 20_000 })
  expect(printed.toString()).toBe('true\n')
})
