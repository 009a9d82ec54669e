import { expect, test } from 'vitest'
import odd from '../../fixtures/odd.json' with { type: 'json' }
import { isByPolicy } from '../../src/policies/by-policy.ts'
import { resolvePolicies } from '../../src/policies/settings.ts'
import {
  findMutations,
  mutablePaths,
  mutateBody,
  responseShape,
} from '../../src/sandbox/faults/mutants.ts'
import { mapFields } from '../../src/sandbox/faults/response-fields.ts'
import { type MutantKind, mutantKinds } from '../../src/sandbox/faults/rule.ts'
import { createSimulator } from '../../src/simulator.ts'
import { diffValues } from '../../src/utils/diff.ts'
import type { WorldJson } from '../../src/world/world-json.ts'
import { documentedEndpoints, endpointPath, sampleBody } from '../support/api/endpoints.ts'
import { authorization } from '../support/api/headers.ts'
import { noon } from '../support/api/paths.ts'
import { responseValidator } from '../support/api/response-schema.ts'

// A list in another order is read anew: test/laws/mutated-lists.test.ts
const kinds = (Object.keys(mutantKinds) as MutantKind[]).filter((kind) => kind !== 'row_order')

/** Each operation, once for each form of response that a policy gives it. */
const forms = documentedEndpoints.flatMap((endpoint) => {
  const { response } = endpoint
  const settings = isByPolicy(response) ? Object.keys(response.choices) : []
  const policies = settings.map((setting) => ({
    [(response as { policy: string }).policy]: setting,
  }))
  return (policies.length === 0 ? [{}] : policies).map((each) => ({ endpoint, policies: each }))
})

async function respond(
  { endpoint, policies }: (typeof forms)[number],
  world: 'default' | WorldJson,
) {
  const simulator = createSimulator({ clock: noon, policies, world })
  const options = sampleBody(endpoint)
  const response = await simulator.fetch(endpointPath(endpoint), {
    method: endpoint.method,
    headers: { ...authorization(), 'content-type': 'application/json' },
    ...(options && { body: JSON.stringify(options.body) }),
  })
  const text = response.ok ? await response.text() : ''
  return { text, url: response.url }
}

/** The paths at which two bodies differ, without the indexes of lists: `created_by.email`. */
function differingPaths(body: unknown, mutated: unknown): Set<string> {
  const differences = diffValues(body, mutated, { isExact: true })
  const paths = differences.map(({ path }) => path.filter((step) => typeof step === 'string'))
  return new Set(paths.map((path) => path.join('.').replace(/^results\./, '')))
}

/** The parts of a page that the kinds without a field may change. */
const wholeChanges: Partial<Record<MutantKind, readonly string[]>> = {
  empty_page: ['next', 'results'],
  next_parameters: ['next'],
  extra_field: ['added_field'],
}

test.each(forms)(
  'each mutant of each field of $endpoint.id is valid, and changes nothing else, with $policies',
  async (form) => {
    const { endpoint, policies } = form
    const settings = resolvePolicies('documented', policies)
    const shape = responseShape(endpoint, settings)
    const { text, url } = await respond(form, 'default')
    if (text === '') return
    const body = JSON.parse(text)
    const validate = responseValidator(endpoint, settings)
    const validateOpen = responseValidator(endpoint, settings, { isOpen: true })

    for (const kind of kinds) {
      for (const field of mutablePaths(kind, endpoint, shape)) {
        const mutated = mutateBody(body, field === '' ? { kind } : { kind, field }, shape, url)
        const name = `${kind} ${field}`
        expect((kind === 'extra_field' ? validateOpen : validate)(mutated), name).toBe(null)
        const allowed = field === '' ? (wholeChanges[kind] ?? []) : [field]
        for (const path of differingPaths(body, mutated)) {
          expect(
            allowed.some((one) => `${path}.`.startsWith(`${one}.`)),
            `${name}: ${path}`,
          ).toBe(true)
        }
      }
    }
    expect(
      findMutations(body, endpoint, shape, url).filter(
        ({ kind, field = '' }) => !mutablePaths(kind, endpoint, shape).includes(field),
      ),
    ).toEqual([])
  },
)

test('every kind changes a response of the default world', async () => {
  const found = new Set<MutantKind>()
  for (const form of forms) {
    const { text, url } = await respond(form, 'default')
    const shape = responseShape(form.endpoint, resolvePolicies('documented', form.policies))
    const mutations = text === '' ? [] : findMutations(JSON.parse(text), form.endpoint, shape, url)
    for (const { kind } of mutations) found.add(kind)
  }

  // The first page of a short list has no page before, and no next.
  const others = ['short_page', 'repeated_row', 'next_parameters', 'other_value']
  expect(kinds.filter((kind) => !found.has(kind))).toEqual(others)
})

test.each(forms)(
  '$endpoint.id keeps every byte that is not mutated, with $policies',
  async (form) => {
    const { text } = await respond(form, odd as never)
    if (text === '') return
    const shape = responseShape(form.endpoint, resolvePolicies('documented', form.policies))

    expect(JSON.stringify(mapFields(JSON.parse(text), shape, (value) => value))).toBe(text)
  },
)
