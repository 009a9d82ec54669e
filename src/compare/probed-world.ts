import defaultWorld from '../../fixtures/default.json' with { type: 'json' }
import type { Trial } from '../fit/fit-settings.ts'
import { openQuickSimulator } from '../scenarios/run/simulator-sender.ts'
import type { Simulator } from '../simulator/simulator.ts'
import type { WorldJson } from '../world/world-json.ts'
import type { ServerIds } from './fill-probe.ts'
import type { ComparedKey } from './keys.ts'

const fixture = defaultWorld as WorldJson

/** The organizations of the user. */
const ownOrganization = '018f2b6e-0000-7000-8000-00000000000a'
const otherOrganization = { id: '018f2b6e-0000-7000-8000-00000000000b', name: 'Initech' }

/** Rows of others that a service may or may not have. They decide together with the settings what lists show. */
export const worldTraits = {
  repository: ['some', 'none'],
  plugin_configs: ['some', 'none'],
  activity: ['some', 'none'],
} as const

/** The world in which probes are simulated: the keys of the server, the first row of each list of the fixture, and its catalogue. */
function probedWorld(keys: readonly ComparedKey[], traits: Trial['world']): WorldJson {
  const rows = Object.entries(fixture).map(([list, all]) => {
    const isEmpty = traits[list] === 'none'
    // The plugin is in the catalogue, but not first.
    const isShown = (_: unknown, index: number) =>
      !isEmpty && (index === 0 || list === 'repository')
    return [list, Array.isArray(all) ? all.filter(isShown) : all]
  })
  const { organizations, projects, users, ...others }: WorldJson = Object.fromEntries(rows)
  const withSecond = <Row>(list: readonly Row[] = [], changes: Partial<Row>): Row[] =>
    list.flatMap((row) => [row, { ...row, ...changes }])
  const { id } = otherOrganization
  return {
    ...others,
    organizations: withSecond(organizations, otherOrganization),
    projects: withSecond(projects, { id: 2, organization: id, uuid: id }),
    users: users?.map((user) => ({ ...user, organizations: [ownOrganization, id] })) ?? [],
    keys: keys.map((key) => ({ ...key, user: 1, projects: [], organizations: [] })),
  }
}

/** Opens a simulator with that world. */
export function openProbedWorld(
  keys: readonly ComparedKey[],
  { world, settings }: Trial,
): Simulator {
  const clock = '2024-06-15T12:00:00Z'
  return openQuickSimulator({ world: probedWorld(keys, world), settings, clock })
}

/** Where the probes find that world. */
export function probedIds(keys: readonly ComparedKey[]): ServerIds {
  return {
    project: '1',
    org: ownOrganization,
    other: otherOrganization.id,
    missing: '99999999',
    marker: 'marker',
    keys: Object.fromEntries(keys.map(({ label, value }) => [label, value])),
  }
}
