import { expect, test } from 'vitest'
import odd from '../../fixtures/odd.json' with { type: 'json' }
import { isBySetting } from '../../src/settings/by-setting.ts'
import { resolveSettings } from '../../src/settings/resolve.ts'
import { type VariantKind, variantKinds } from '../../src/simulator/faults/fault.ts'
import { mapFields } from '../../src/simulator/faults/response-fields.ts'
import {
  findVariants,
  responseShape,
  variablePaths,
  varyBody,
} from '../../src/simulator/faults/variants.ts'
import { createSimulator } from '../../src/simulator.ts'
import { diffValues } from '../../src/utils/diff.ts'
import type { WorldJson } from '../../src/world/world-json.ts'
import { documentedEndpoints, endpointPath, sampleBody } from '../support/api/endpoints.ts'
import { authorization } from '../support/api/headers.ts'
import { acme, annotationsPath, noon } from '../support/api/paths.ts'
import { responseValidator } from '../support/api/response-schema.ts'
import { type Started, start } from '../support/lanes/start.ts'

const kinds = Object.keys(variantKinds) as VariantKind[]

/** Each operation, once for each form of response that a setting gives it. */
const forms = documentedEndpoints.flatMap((endpoint) => {
  const { response } = endpoint
  const values = isBySetting(response) ? Object.keys(response.choices) : []
  const settings = values.map((value) => ({
    [(response as { setting: string }).setting]: value,
  }))
  return (settings.length === 0 ? [{}] : settings).map((each) => ({ endpoint, settings: each }))
})

async function respond(
  { endpoint, settings }: (typeof forms)[number],
  world: 'default' | WorldJson,
) {
  const simulator = createSimulator({ clock: noon, settings, world })
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
function differingPaths(body: unknown, varied: unknown): Set<string> {
  const differences = diffValues(body, varied, { isExact: true })
  const paths = differences.map(({ path }) => path.filter((step) => typeof step === 'string'))
  return new Set(paths.map((path) => path.join('.').replace(/^results\./, '')))
}

/** The parts of a response that the kinds without a field may change. */
const wholeChanges: Partial<Record<VariantKind, readonly string[]>> = {
  empty_page: ['next', 'results'],
  extra_field: ['added_field'],
}

test.each(forms)(
  'each variant of each field of $endpoint.id is valid, and changes nothing else, with $settings',
  async (form) => {
    const { endpoint } = form
    const settings = resolveSettings('documented', form.settings)
    const shape = responseShape(endpoint, settings)
    const { text, url } = await respond(form, 'default')
    if (text === '') return
    const body = JSON.parse(text)
    const validate = responseValidator(endpoint, settings)
    const validateOpen = responseValidator(endpoint, settings, { isOpen: true })

    for (const kind of kinds) {
      for (const field of variablePaths(kind, shape)) {
        const varied = varyBody(body, field === '' ? { kind } : { kind, field }, shape, url)
        const name = `${kind} ${field}`
        expect((kind === 'extra_field' ? validateOpen : validate)(varied), name).toBe(null)
        // Another order changes the rows at each place.
        if (kind === 'row_order') continue
        const allowed = field === '' ? (wholeChanges[kind] ?? []) : [field]
        for (const path of differingPaths(body, varied)) {
          expect(
            allowed.some((one) => `${path}.`.startsWith(`${one}.`)),
            `${name}: ${path}`,
          ).toBe(true)
        }
      }
    }
    expect(
      findVariants(body, shape, url).filter(
        ({ kind, field = '' }) => !variablePaths(kind, shape).includes(field),
      ),
    ).toEqual([])
  },
)

test('every kind changes a response of the default world', async () => {
  const found = new Set<VariantKind>()
  for (const form of forms) {
    const { text, url } = await respond(form, 'default')
    const shape = responseShape(form.endpoint, resolveSettings('documented', form.settings))
    const variants = text === '' ? [] : findVariants(JSON.parse(text), shape, url)
    for (const { kind } of variants) found.add(kind)
  }

  expect(kinds.filter((kind) => !found.has(kind))).toEqual([])
})

test.each(forms)(
  '$endpoint.id keeps every byte that does not vary, with $settings',
  async (form) => {
    const { text } = await respond(form, odd as never)
    if (text === '') return
    const shape = responseShape(form.endpoint, resolveSettings('documented', form.settings))

    expect(JSON.stringify(mapFields(JSON.parse(text), shape, (value) => value))).toBe(text)
  },
)

/** Follows `next` to the last page. */
async function readAll(client: Started, first: string) {
  const pages: { results: { id: number }[]; count: number }[] = []
  for (let url: string | null = first; url !== null; ) {
    const headers = { authorization: 'Bearer phx_all' }
    const page = await (await client.exchange(url, { headers })).json()
    pages.push(page)
    url = page.next
    expect(pages.length).toBeLessThan(20)
  }
  return { pages, ids: pages.flatMap(({ results }) => results.map(({ id }) => id)) }
}

const lists = [
  ['listAnnotations', `${annotationsPath}?limit=4`],
  ['listAnnotations', `${annotationsPath}?search=e&limit=2&offset=1`],
  ['listPlugins', `/api/organizations/${acme}/plugins?limit=2`],
  ['listProjects', '/api/projects/'],
] as const

test.each(lists)(
  'the link of an empty page of %s %s leads to the same rows',
  async (operation, path) => {
    const started = await start()
    const { simulator, origin } = started
    const unchanged = await readAll(started, origin + path)

    simulator.faults.add({ operation, effect: { variant: 'empty_page' } })
    const { ids, pages } = await readAll(started, origin + path)

    expect(ids).toEqual(unchanged.ids)
    expect(pages.length - unchanged.pages.length).toBe(1)
    expect(new Set(pages.map(({ count }) => count))).toEqual(
      new Set(unchanged.pages.map(({ count }) => count)),
    )
  },
)
