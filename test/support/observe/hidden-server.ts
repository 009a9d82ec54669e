import defaultWorld from '../../../fixtures/default.json' with { type: 'json' }
import { parseKeys } from '../../../src/analysis/observe/keys.ts'
import { type Observation, observeServer } from '../../../src/analysis/observe/observe.ts'
import type { ObserverOptions } from '../../../src/analysis/observe/observer.ts'
import { type PolicyId, policies, policyIds } from '../../../src/policies/policies.ts'
import type { PolicyOverrides } from '../../../src/policies/settings.ts'
import { createSimulator, type Simulator } from '../../../src/simulator.ts'
import type { WorldJson } from '../../../src/world/world-json.ts'
import type { Random } from '../random.ts'

export const initech = '018f2b6e-0000-7000-8000-00000000000b'

/** The world `default`, whose users belong to a second organization, which has a project and no plugin. */
export const world = {
  ...defaultWorld,
  organizations: [
    ...defaultWorld.organizations,
    { id: initech, name: 'Initech', plugins_access_level: 9 },
  ],
  projects: [
    ...defaultWorld.projects,
    {
      ...defaultWorld.projects[0],
      id: 3,
      organization: initech,
      uuid: initech,
      api_token: 'phc_3',
    },
  ],
  users: defaultWorld.users.map((user) => ({
    ...user,
    organizations: [...user.organizations, initech],
  })),
} as unknown as WorldJson

/** One key of each kind, as users name them with `--key`. */
export const allKeys: Readonly<Record<string, string>> = {
  all: 'phx_all',
  old: 'phx_old',
  none: 'phx_none',
  'plugin:read': 'phx_plugin_read',
  'annotation:write': 'phx_annotation_write',
}

/** A random value for each policy that has several. */
export function randomPolicies(random: Random): PolicyOverrides {
  const entries = policyIds.map((id) => [id, randomValue(id, random)])
  return Object.fromEntries(entries)
}

function randomValue(id: PolicyId, random: Random): string | number {
  // A lower limit would refuse the bodies of the observation.
  if (id === 'limits.body') return 4096 + random.below(1_000_000)
  if (policies[id].values.integer) return 1 + random.below(2_000)
  return random.pick(Object.keys(policies[id].values))
}

export function observeSimulator(
  simulator: Pick<Simulator, 'fetch'>,
  options: Partial<ObserverOptions> = {},
  waits: 'no waits' | 'real waits' = 'no waits',
): Promise<Observation> {
  return observeServer({
    url: 'http://localhost',
    send: (url, init) => simulator.fetch(url, init),
    keys: parseKeys(allKeys),
    rate: Number.POSITIVE_INFINITY,
    maxRequests: 200,
    allowWrites: true,
    marker: 'k2j4',
    ...(waits === 'no waits' && { wait: async () => {} }),
    ...options,
  })
}

export function createHiddenServer(hidden: PolicyOverrides): Simulator {
  return createSimulator({ world, policies: hidden, clock: '2024-06-15T12:00:00Z' })
}
