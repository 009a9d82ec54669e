import { expect, test } from 'vitest'
import { emptyWithOldKey, oldKey, plugins } from '../../support/api/plugins.ts'
import { start } from '../../support/transports/start.ts'

type Started = Awaited<ReturnType<typeof withPlugin>>
const path = `${plugins}exports_unsubscribe_configs/`
const exporting = { capabilities: { methods: ['exportEvents'] } }

/** Starts the live profile with one plugin, and a configuration of it in project 1. */
async function withPlugin(plugin: object = exporting, config: object = {}) {
  const { ask, simulator } = await start({ world: emptyWithOldKey, profile: 'live' })
  simulator.world.plugins.add({ id: 1, ...plugin })
  simulator.world.plugin_configs.add({ id: 1, plugin: 1, project: 1, ...config })
  return { ask, simulator }
}

async function idsIn({ ask }: Started, address = path) {
  const { status, body } = await ask('GET', address, oldKey)
  expect(status).toBe(200)
  return (body as { id: number }[]).map(({ id }) => id)
}

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

test.each([[[{ key: 'token', secret: true }]], [{ token: { secret: true } }]])(
  'a value is hidden if its field in the schema %j is secret',
  async (config_schema) => {
    const plugin = { ...exporting, config_schema }
    const { ask } = await withPlugin(plugin, { config: { token: 'hush', region: 'eu' } })

    const { body } = await ask('GET', path, oldKey)

    expect(body).toMatchObject([{ config: { token: '*'.repeat(16), region: 'eu' } }])
  },
)
