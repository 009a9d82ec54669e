import { expect, test } from 'vitest'
import { bare, emptyWithOldKey, oldKey, plugins } from '../../support/api/plugins.ts'
import { start } from '../../support/transports/start.ts'

const texts = ['null', '[]', '{"name":5}', '{"name":null}', '{"x":NaN}', '{"name":"x","x":1e400}']

test.each(texts)(
  'a plugin.json of %s is stored, as an empty file is, and the fields of the plugin do not change',
  async (json) => {
    const { ask, simulator } = await start({ world: emptyWithOldKey, profile: 'live' })
    const row = { name: 'Hello', plugin_type: 'source' as const, config_schema: { key: 'a' } }
    simulator.world.plugins.add({ id: 1, ...row, source: { 'index.ts': 'x', 'site.ts': 'y' } })

    const body = { 'plugin.json': json, 'index.ts': '', 'site.ts': null }
    const edited = await ask('PATCH', `${plugins}1/update_source/`, { ...oldKey, body })

    expect(edited).toEqual({ status: 200, body: { 'index.ts': '', 'plugin.json': json } })
    expect(await ask('GET', `${plugins}1/source/`, oldKey)).toEqual(edited)
    const shown = { status: 200, body: { ...bare, ...row } }
    expect(await ask('GET', `${plugins}1/`, oldKey)).toEqual(shown)
  },
)
