import type { SettingOverrides } from '../../src/settings/resolve.ts'
import { type SettingId, settingIds } from '../../src/settings/setting.ts'
import { annotationsPath, pluginsPath as plugins } from '../support/api/paths.ts'
import type { PlantedClient, Step } from './planted-client.ts'
import { plantedClients } from './planted-clients.ts'

/** Requests whose responses depend on a setting. */
interface Probe {
  readonly steps: readonly Step[]
  /** Other settings that must be set for the setting to have an effect. */
  readonly requires?: SettingOverrides
  /** The values to compare, for a setting of whole numbers. */
  readonly integers?: readonly number[]
  /** Whether the key has sent as many requests as a minute allows. */
  readonly spent?: boolean
}

const requests = (...steps: Step[]): Probe => ({ steps })
const post = (path: string, body: unknown, requires?: SettingOverrides): Probe => ({
  steps: [['POST', path, { body }]],
  ...(requires && { requires }),
})
/** Settings whose values differ in more than the request of the planted client shows. */
const ownProbes: Readonly<Partial<Record<SettingId, Probe>>> = {
  'annotations.scope.values': requests(
    ['POST', annotationsPath, { body: { scope: 'dashboard' } }],
    ['POST', annotationsPath, { body: { scope: 'tag' } }],
    ['POST', annotationsPath, { body: { scope: 'team' } }],
  ),
  'annotations.deleted.visibility': requests(
    ['GET', `${annotationsPath}6/`],
    ['GET', annotationsPath],
  ),
  'annotations.list.limit.default': { ...requests(['GET', annotationsPath]), integers: [2, 3] },
  'plugins.plugin_type.values': requests(
    ['POST', plugins, { body: { plugin_type: 'inline' } }],
    ['POST', plugins, { body: { plugin_type: 'robot' } }],
  ),
  'plugins.list.limit.default': { ...requests(['GET', plugins]), integers: [1, 2] },
  'plugins.upgrade.effect': requests(['POST', `${plugins}21/upgrade/`, { body: {} }]),
  'projects.list.limit.default': { ...requests(['GET', '/api/projects/']), integers: [1, 2] },
  'errors.body': requests(['GET', `${annotationsPath}999/`]),
  'lists.limit.maximum': requests(['GET', `${annotationsPath}?limit=5000&offset=1`]),
  'limits.rate': { ...requests(['GET', '/api/projects/']), spent: true },
  'limits.retry_after': {
    ...requests(['GET', '/api/projects/']),
    spent: true,
    requires: { 'limits.rate': '480_per_minute' },
  },
  'limits.body': { ...post(annotationsPath, { content: 'x'.repeat(40) }), integers: [32, 64] },
}

/** What the client that depends on the setting sends; about a scope, also with a key without scopes. */
function plantedProbe(id: SettingId): Probe {
  // A setting can be new: its test says what is missing.
  const client: PlantedClient | undefined = plantedClients[id]
  if (!client?.step) return { steps: [] }
  const { step, settings: requires } = client
  const [method, path, options] = step
  const isScope = /^plugins\..*\.scope$/.test(id)
  const steps: Step[] = isScope ? [step, [method, path, { ...options, key: 'phx_none' }]] : [step]
  return { steps, ...(requires && { requires }) }
}

export const probes = Object.fromEntries(
  settingIds.map((id) => [id, ownProbes[id] ?? plantedProbe(id)]),
) as Readonly<Record<SettingId, Probe>>
