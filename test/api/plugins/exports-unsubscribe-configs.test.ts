import { expect, test } from 'vitest'
import { bare, legacyKey, neighbours, plugins } from '../../support/api/plugins.ts'
import { start } from '../../support/transports/start.ts'

type Started = Awaited<ReturnType<typeof withPlugin>>
const path = `${plugins}exports_unsubscribe_configs/`
const exporting = { capabilities: { methods: ['exportEvents'] } }

/** Starts the live profile with one plugin, and a configuration of it in project 1. */
async function withPlugin(plugin: object = exporting, config: object = {}) {
  const { ask, simulator } = await start({ world: neighbours(), profile: 'live' })
  simulator.world.plugins.add({ id: 1, ...plugin })
  simulator.world.plugin_configs.add({ id: 1, plugin: 1, project: 1, ...config })
  return { ask, simulator }
}

async function idsIn({ ask }: Started, address = path) {
  const { status, body } = await ask('GET', address, legacyKey)
  expect(status).toBe(200)
  return (body as { id: number }[]).map(({ id }) => id)
}

test('a configuration is returned with all fields and its plugin', async () => {
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

  expect(await ask('GET', path, legacyKey)).toEqual({
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
  { is_global: false, capabilities: { methods: ['exportEvents'] }, isListed: true },
  { is_global: false, capabilities: processEvent, isListed: true },
  { is_global: false, capabilities: { jobs: [], methods: [] }, isListed: true },
  { is_global: false, capabilities: { scheduled_tasks: ['runEveryDay'] }, isListed: true },
  { is_global: false, capabilities: {}, isListed: false },
  { is_global: true, capabilities: { methods: ['exportEvents'] }, isListed: true },
  { is_global: true, capabilities: { jobs: ['processEvent'] }, isListed: true },
  { is_global: true, capabilities: { methods: 'processEvent' }, isListed: true },
  { is_global: true, capabilities: processEvent, isListed: false },
  { is_global: true, capabilities: both, isListed: false },
  { is_global: true, capabilities: {}, isListed: false },
]

test.each(rules)(
  'a plugin with is_global $is_global and capabilities $capabilities is listed: $isListed',
  async ({ is_global, capabilities, isListed }) => {
    for (const plugin_type of ['custom', 'local', 'source']) {
      const started = await withPlugin({ is_global, capabilities, plugin_type })
      expect.soft(await idsIn(started), plugin_type).toEqual(isListed ? [1] : [])
    }
  },
)

const list = [
  null,
  { markdown: 'Intro' },
  { key: 'host', type: 'string', secret: false },
  { key: 'token', type: 'string', secret: true },
]
const object = { other: null, host: { type: 'string' }, token: { type: 'string', secret: true } }
const schemas = [
  { form: 'a list', config_schema: list },
  { form: 'an object', config_schema: object },
]

test.each(schemas)('secret values are masked if the schema is $form', async ({ config_schema }) => {
  const config = { host: 'h', token: 's3cr3t', other: 'o' }
  const { ask } = await withPlugin({ ...exporting, config_schema }, { config })

  const { body } = await ask('GET', path, legacyKey)

  const [listed] = body as [{ config: Record<string, string> }]
  expect(listed.config).toEqual({ host: 'h', token: expect.any(String), other: 'o' })
  expect(listed.config.token).toMatch(/^\*{4,}/)
  expect(JSON.stringify(body)).not.toContain('s3cr3t')
})

test('a secret without a value is shown as it is', async () => {
  const config = { host: 'h', token: '' }
  const { ask } = await withPlugin({ ...exporting, config_schema: list }, { config })

  expect((await ask('GET', path, legacyKey)).body).toMatchObject([{ config }])
})
