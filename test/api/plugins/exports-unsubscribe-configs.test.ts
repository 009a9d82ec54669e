import { expect, test } from 'vitest'
import { acme, bare, elsewhere, initech, neighbours, plugins } from '../../support/api/plugins.ts'
import { start } from '../../support/lanes/start.ts'

type Started = Awaited<ReturnType<typeof withPlugin>>

const old = { key: 'phx_old' }
const path = `${plugins}exports_unsubscribe_configs/`
const exporting = { capabilities: { methods: ['exportEvents'] } }

/** The live service with one plugin, and a configuration of it in project 1. */
async function withPlugin(plugin: object = exporting, config: object = {}) {
  const { ask, simulator } = await start({ world: neighbours(), profile: 'live' })
  simulator.world.plugins.create({ id: 1, ...plugin })
  simulator.world.plugin_configs.create({ id: 1, plugin: 1, project: 1, ...config })
  return { ask, simulator }
}

async function idsIn({ ask }: Started, address = path) {
  const { status, body } = await ask('GET', address, old)
  expect(status).toBe(200)
  return (body as { id: number }[]).map(({ id }) => id)
}

test('a configuration is told whole, with its plugin [§5.6:exports_unsubscribe_configs]', async () => {
  const url = 'https://github.com/acme/hello'
  const plugin = { ...exporting, name: 'Hello', metrics: { sent: 'sum' } }
  const config = {
    order: 7,
    config: { host: 'h', deep: [{ a: null }] },
    name: 'Mine',
    description: 'My own',
    created_at: '2024-05-01T00:00:00Z',
    updated_at: '2024-05-02T00:00:00.000001Z',
  }
  const { ask } = await withPlugin({ ...plugin, url: `${url}?private_token=s3cr3t` }, config)

  expect(await ask('GET', path, old)).toEqual({
    status: 200,
    body: [
      {
        id: 1,
        plugin: 1,
        enabled: true,
        ...config,
        error: null,
        team_id: 1,
        plugin_info: { ...bare, ...plugin, url },
        delivery_rate_24h: null,
        deleted: false,
      },
    ],
  })
})

const processEvent = { methods: ['processEvent'] }
const both = { methods: ['exportEvents', 'processEvent'] }
const rules = [
  { is_global: false, capabilities: { methods: ['exportEvents'] }, isTold: true },
  { is_global: false, capabilities: processEvent, isTold: true },
  { is_global: false, capabilities: { jobs: [], methods: [] }, isTold: true },
  { is_global: false, capabilities: { scheduled_tasks: ['runEveryDay'] }, isTold: true },
  { is_global: false, capabilities: {}, isTold: false },
  { is_global: true, capabilities: { methods: ['exportEvents'] }, isTold: true },
  { is_global: true, capabilities: { jobs: ['processEvent'] }, isTold: true },
  { is_global: true, capabilities: processEvent, isTold: false },
  { is_global: true, capabilities: both, isTold: false },
  { is_global: true, capabilities: {}, isTold: false },
]

test.each(rules)(
  'global $is_global with $capabilities is told: $isTold [§5.6:exports_unsubscribe_configs]',
  async ({ is_global, capabilities, isTold }) => {
    for (const plugin_type of ['custom', 'local', 'source']) {
      const started = await withPlugin({ is_global, capabilities, plugin_type })
      expect(await idsIn(started), plugin_type).toEqual(isTold ? [1] : [])
    }
  },
)

test('only what is enabled, and not deleted, is told [§5.6:exports_unsubscribe_configs]', async () => {
  expect(await idsIn(await withPlugin(exporting, { enabled: true }))).toEqual([1])
  expect(await idsIn(await withPlugin(exporting, { enabled: false }))).toEqual([])
  expect(await idsIn(await withPlugin(exporting, { enabled: true, deleted: true }))).toEqual([])
})

test('it tells of all projects of the organization, and of no other, by id [§5.6:exports_unsubscribe_configs]', async () => {
  const started = await withPlugin()
  const { world } = started.simulator
  world.projects.create({ id: 3, organization: acme })
  world.projects.create({ id: 4, organization: initech })
  for (const [id, project] of [
    [5, 3],
    [2, 3],
    [4, 1],
    [3, 2],
    [6, 4],
  ] as const) {
    world.plugin_configs.create({ id, plugin: 1, project })
  }

  expect(await idsIn(started)).toEqual([1, 2, 4, 5])
  expect(await idsIn(started, `${elsewhere}exports_unsubscribe_configs/`)).toEqual([3, 6])
})

test('a global plugin of another organization counts where a project uses it [§5.6:exports_unsubscribe_configs]', async () => {
  const plugin = { ...exporting, is_global: true }
  const { ask } = await withPlugin({ ...plugin, organization: initech }, { project: 1 })

  const owner = { organization_id: initech, organization_name: 'Initech' }
  expect(await ask('GET', path, old)).toMatchObject({
    status: 200,
    body: [{ id: 1, plugin_info: { ...bare, ...plugin, ...owner } }],
  })
})

const list = [
  { markdown: 'Intro' },
  { key: 'host', type: 'string', secret: false },
  { key: 'token', type: 'string', secret: true },
]
const object = {
  host: { type: 'string' },
  token: { type: 'string', secret: true },
}
const schemas = [
  { form: 'a list', config_schema: list },
  { form: 'an object', config_schema: object },
]

test.each(schemas)(
  'secret values are masked by a schema that is $form [§5.6:exports_unsubscribe_configs]',
  async ({ config_schema }) => {
    const config = { host: 'h', token: 's3cr3t', other: 'o' }
    const { ask } = await withPlugin({ ...exporting, config_schema }, { config })

    const { body } = await ask('GET', path, old)

    const [told] = body as [{ config: Record<string, string> }]
    expect(told.config).toEqual({ host: 'h', token: expect.any(String), other: 'o' })
    expect(told.config.token).toMatch(/^\*{4,}/)
    expect(JSON.stringify(body)).not.toContain('s3cr3t')
  },
)

test('a secret that is not set shows that it is not [§5.6:exports_unsubscribe_configs]', async () => {
  for (const token of ['', null]) {
    const config = { host: 'h', token }
    const { ask } = await withPlugin({ ...exporting, config_schema: object }, { config })

    expect(await ask('GET', path, old)).toMatchObject({ status: 200, body: [{ config }] })
  }
})
