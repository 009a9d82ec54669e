import { expect, test } from 'vitest'
import { parseKeys } from '../../../../src/analysis/observe/keys.ts'
import { createSimulator } from '../../../../src/simulator.ts'
import type { WorldJson } from '../../../../src/world/world-json.ts'
import { checkRecovery, ownRows } from '../../../support/observe/check-recovery.ts'
import {
  allKeys,
  observeSimulator,
  randomPolicies,
  world,
} from '../../../support/observe/hidden-server.ts'
import { createRandom } from '../../../support/random.ts'

test('of 200 hidden servers every visible policy is found, none wrongly, by at most 200 requests each', async () => {
  const requests: number[] = []

  for (let seed = 0; seed < 200; seed += 1) requests.push(await checkRecovery(seed))

  const sum = requests.reduce((total, count) => total + count, 0)
  console.info(`${sum / requests.length} requests on average, at most ${Math.max(...requests)}`)
  expect(requests).toHaveLength(200)
}, 120_000)

const worlds: Readonly<Record<string, WorldJson>> = {
  'without plugins': { ...world, plugins: [], plugin_configs: [], activity: [], repository: [] },
  'without configurations': { ...world, plugin_configs: [] },
  'without annotations': { ...world, annotations: [] },
  'with the access level 3': withAccessLevel(3),
  'with the access level 0': withAccessLevel(0),
}

const keySets: readonly Readonly<Record<string, string>>[] = [
  allKeys,
  { all: 'phx_all' },
  { old: 'phx_old' },
  { 'plugin:read': 'phx_plugin_read' },
  {
    'annotation:read,annotation:write': 'phx_annotations',
    'plugin:read,plugin:write': 'phx_plugins',
  },
  // Keys that their labels do not describe.
  { all: 'phx_project_1', 'plugin:read': 'phx_plugin_read' },
  { all: 'phx_annotations', 'plugin:read': 'phx_all' },
  {
    all: 'phx_all',
    'plugin:read': 'phx_1',
    none: 'phx_2',
    'annotation:write': 'phx_3',
    old: 'phx_4',
  },
]

test.each(Object.keys(worlds))(
  'no set of keys leads to a wrong value in a world %s',
  async (name) => {
    const wrong: unknown[] = []
    for (const [index, keys] of keySets.entries()) {
      for (const seed of [1, 2, 3, 4]) {
        const policies = randomPolicies(createRandom(100 * index + seed))
        const simulator = createSimulator({ world: worlds[name] as WorldJson, policies })
        const allowWrites = seed % 2 === 0

        const found = await observeSimulator(simulator, { keys: parseKeys(keys), allowWrites })

        const { settings } = simulator.policies
        const differing = found.findings.filter(
          ({ id, value }) => value !== null && value !== settings[id],
        )
        wrong.push(...differing, ...found.left, ...ownRows(simulator))
      }
    }

    expect(wrong).toEqual([])
  },
)

function withAccessLevel(plugins_access_level: number): WorldJson {
  const organizations = world.organizations?.map((row) => ({ ...row, plugins_access_level }))
  return { ...world, organizations } as WorldJson
}
