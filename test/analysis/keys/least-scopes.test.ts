import fc from 'fast-check'
import { expect, test } from 'vitest'
import { policies } from '../../../src/policies/policies.ts'
import type { PolicyOverrides } from '../../../src/policies/settings.ts'
import { createSimulator, type Simulator } from '../../../src/simulator.ts'
import { documentedEndpoints, endpointPath } from '../../support/api/endpoints.ts'
import { acme, annotationsPath } from '../../support/api/paths.ts'

const scopes = [
  'annotation:read',
  'annotation:write',
  'plugin:read',
  'plugin:write',
  'project:read',
] as const

/** Every list of the scopes of the API. */
const lists = Array.from({ length: 2 ** scopes.length }, (_, bits) =>
  scopes.filter((_scope, index) => bits & (1 << index)),
)

const issue = (simulator: Simulator, list: readonly string[] | null): string =>
  simulator.keys.issue({ label: 'client', scopes: list })

/** Whether the scopes of a key let a request pass. */
async function isLet(simulator: Simulator, key: string, id: string): Promise<boolean> {
  const endpoint = documentedEndpoints.find((each) => each.id === id)
  if (!endpoint) throw new Error(id)
  const { method } = endpoint
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  const body = method === 'GET' ? null : '{}'
  const response = await simulator.fetch(endpointPath(endpoint), { method, headers, body })
  return !/missing required scope|does not support Personal/.test(await response.text())
}

/** What lists of scopes let pass under policies, found by requests: each once, because many lists are asked for the same. */
class Truth {
  readonly #simulator: Simulator
  readonly #keys = new Map<string, string>()
  readonly #isLet = new Map<string, Promise<boolean>>()

  constructor(policies: PolicyOverrides) {
    this.#simulator = createSimulator({ policies })
  }

  /** Whether a list lets an operation pass. */
  isLet(list: readonly string[] | null, id: string): Promise<boolean> {
    const name = JSON.stringify(list)
    const key = this.#keys.get(name) ?? issue(this.#simulator, list)
    this.#keys.set(name, key)
    const found = this.#isLet.get(`${name} ${id}`) ?? isLet(this.#simulator, key, id)
    this.#isLet.set(`${name} ${id}`, found)
    return found
  }

  /** The operations that a list lets pass. */
  async operationsOf(list: readonly string[] | null): Promise<string[]> {
    const ids: string[] = []
    for (const { id } of documentedEndpoints) if (await this.isLet(list, id)) ids.push(id)
    return ids
  }

  /** Whether a list is enough for operations. The first that it does not let pass decides. */
  async isEnough(list: readonly string[], ids: readonly string[]): Promise<boolean> {
    for (const id of ids) if (!(await this.isLet(list, id))) return false
    return true
  }
}

const accessPolicies = [
  'keys.empty_scopes',
  'keys.write_implies_read',
  'projects.list.scope',
  'plugins.extras.scope',
] as const

const anyPolicies = fc.record(
  Object.fromEntries(
    accessPolicies.map((id) => [id, fc.constantFrom(...Object.keys(policies[id].values))]),
  ),
) as fc.Arbitrary<PolicyOverrides>

// Each seed is a test of its own, with a few runs: a run sends some hundred requests.
test.each([1, 2, 3, 4, 5, 6])(
  'the least scopes let all requests pass, none that allow less do, and each scope is needed: seed %i',
  async (seed) => {
    const anyHeld = fc.oneof(fc.constantFrom(null, ['*'], []), fc.subarray([...scopes]))
    await fc.assert(
      fc.asyncProperty(
        anyPolicies,
        anyHeld,
        fc.infiniteStream(fc.boolean()),
        async (policies, held, choices) => {
          const truth = new Truth(policies)
          const usable = await truth.operationsOf(held)
          const used = usable.filter(() => choices.next().value)
          const simulator = createSimulator({ policies })
          const key = issue(simulator, held)
          for (const id of used) await isLet(simulator, key, id)
          fc.pre(used.length > 0)

          const { keys } = await simulator.report()

          const least = keys[0]?.least ?? null
          const allowed = await truth.operationsOf(least)
          expect(allowed).toEqual(expect.arrayContaining(used))
          for (const list of lists) {
            if (!(await truth.isEnough(list, used))) continue
            const others = await truth.operationsOf(list)
            const isLess =
              others.length < allowed.length && others.every((id) => allowed.includes(id))
            const isWithin = others.every((id) => usable.includes(id))
            expect(isLess && isWithin, `${list} is less than ${least}`).toBe(false)
            const isPart = least !== null && list.length < least.length
            if (isPart && list.every((scope) => least.includes(scope))) {
              // Without any scope, a key may do everything.
              expect([list, others.length >= allowed.length]).toEqual([[], true])
            }
          }
        },
      ),
      { numRuns: 5, seed },
    )
  },
)

test.each([
  [
    'documented',
    ['annotation:read', 'plugin:read'],
    [annotationsPath],
    'Key client needs only annotation:read. It has annotation:read, plugin:read.',
  ],
  [
    'documented',
    ['annotation:read'],
    [annotationsPath],
    'Key client needs each of its scopes: annotation:read.',
  ],
  [
    'documented',
    ['plugin:read'],
    ['/api/projects/'],
    'Key client needs no scope. It has plugin:read.',
  ],
  ['documented', [], ['/api/projects/'], 'Key client needs no scope.'],
  [
    'documented',
    ['plugin:read'],
    [annotationsPath, '/api/projects/'],
    'Key client was refused by listAnnotations. It has plugin:read.',
  ],
  [
    'documented',
    ['*'],
    [annotationsPath],
    'Key client needs only annotation:read. It has full access.',
  ],
  [
    'live',
    ['annotation:write'],
    [annotationsPath],
    'Key client needs only annotation:read. It has annotation:write.',
  ],
  ['live', [], [annotationsPath], 'Key client needs only annotation:read. It has full access.'],
  [
    'live',
    null,
    [annotationsPath, '/api/projects/'],
    'Key client needs only annotation:read, project:read. It has full access.',
  ],
  [
    'live',
    null,
    [`/api/organizations/${acme}/plugins/unused/`],
    'Key client needs full access: no list of scopes is enough.',
  ],
] as const)('under %s, a key with %j that reads %j: %s', async (profile, held, paths, sentence) => {
  const simulator = createSimulator({ profile })
  const headers = { authorization: `Bearer ${issue(simulator, held)}` }
  for (const path of paths) await simulator.fetch(path, { headers })

  const { keys } = await simulator.report()

  expect(keys.map((key) => key.sentence)).toEqual([sentence])
})

test('where an empty list allows everything, a key that needs no scope has the one that allows the least', async () => {
  const policies = { 'projects.list.scope': 'any_key' } as const
  const simulator = createSimulator({ profile: 'live', policies })
  const headers = { authorization: `Bearer ${issue(simulator, null)}` }
  await simulator.fetch('/api/projects/', { headers })

  const { keys } = await simulator.report()

  expect(keys).toMatchObject([
    {
      least: ['project:read'],
      sentence:
        'Key client needs no scope, but an empty list would allow everything: project:read allows the least. It has full access.',
    },
  ])
})

test('several keys of a run have a line each', async () => {
  const simulator = createSimulator()
  for (const [key, path] of [
    ['phx_all', annotationsPath],
    ['phx_plugin_read', `/api/organizations/${acme}/plugins/`],
  ] as const) {
    await simulator.fetch(path, { headers: { authorization: `Bearer ${key}` } })
  }

  const { keys } = await simulator.report()

  expect(keys.map(({ sentence }) => sentence)).toEqual([
    'Key all needs only annotation:read. It has full access.',
    'Key plugin:read needs each of its scopes: plugin:read.',
  ])
})
