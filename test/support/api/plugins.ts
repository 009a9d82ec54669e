import emptyWorld from '../../../fixtures/empty.json' with { type: 'json' }
import type { Plugin } from '../../../src/index.ts'
import type { WorldJson } from '../../../src/world/world-json.ts'
import { usual } from './document.ts'
import { acme, initech } from './paths.ts'

/** The paths of the plugins of Acme, and of Initech. */
export const plugins = `/api/organizations/${acme}/plugins/`
export const elsewhere = `/api/organizations/${initech}/plugins/`

/** The first plugin of the world `empty`. */
export const bare = usual.plugin as Plugin & Record<string, unknown>

/** The world `empty`, with a second key, which has no scopes. */
export const emptyWithOldKey: WorldJson = {
  ...(emptyWorld as WorldJson),
  keys: [
    ...(emptyWorld.keys as NonNullable<WorldJson['keys']>),
    { value: 'phx_old', user: 1, scopes: null },
  ],
}

/** That key, as an option of a request. */
export const oldKey = { key: 'phx_old' }

const listed = { name: 'Hello', description: '', verified: true, maintainer: 'official' } as const
const version = (tag: string) => ({ tag, plugin_json: { name: `Hello ${tag}` }, source: {} })

/** That world with a catalogue: a plugin with two versions, and two without any. */
export const catalogue: WorldJson = {
  ...emptyWithOldKey,
  repository: [
    { ...listed, url: 'https://github.com/acme/hello', versions: ['1.0.0', '2.0.0'].map(version) },
    { ...listed, url: 'https://github.com/acme/nothing-left', versions: [] },
    { ...listed, url: 'https://github.com/acme/nothing-yet' },
  ],
}
