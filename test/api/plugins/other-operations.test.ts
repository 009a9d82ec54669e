import { expect, test } from 'vitest'
import type { Scope } from '../../../src/index.ts'
import type { SettingValues } from '../../../src/settings/setting.ts'
import { operations, pathOf } from '../../support/api/document.ts'
import { forbidden, unsupported } from '../../support/api/errors.ts'
import { start } from '../../support/transports/start.ts'

const missing = (scope: string) => forbidden(`API key missing required scope '${scope}'`)

/** The operations that the live service refuses to keys with scopes. */
const others = operations.filter(({ live }) => live === 'none')

test.each(others)(
  'by setting $id accepts any key, or refuses all keys with scopes',
  async ({ method, documented: scope, ...operation }) => {
    const { ask, simulator } = await start({ profile: 'live' })
    const send = (
      value: SettingValues['plugins.other.scope'],
      scopes: readonly string[] | null,
    ) => {
      simulator.settings.set({ 'plugins.other.scope': value })
      const key = simulator.keys.issue({ scopes: scopes as Scope[] })
      return ask(method, pathOf(operation), { key })
    }

    expect((await send('any_key', [])).status).toBe(200)
    expect(await send('refused', ['*', scope])).toEqual(unsupported())
    expect((await send('refused', null)).status).toBe(200)
    expect((await send('plugin_scopes', [scope])).status).toBe(200)
    expect(await send('plugin_scopes', ['annotation:write'])).toEqual(missing(scope))
  },
)
