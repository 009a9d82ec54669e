import { expect, test } from 'vitest'
import { resolveByPolicy } from '../../src/policies/by-policy.ts'
import { resolvePolicies } from '../../src/policies/settings.ts'
import { mutablePaths, responseShape } from '../../src/sandbox/faults/mutants.ts'
import { type MutantKind, mutantKinds } from '../../src/sandbox/faults/rule.ts'
import { documentedEndpoints, endpointPath, sampleBody } from '../support/api/endpoints.ts'
import { acme, annotationsPath } from '../support/api/paths.ts'
import { responseValidator } from '../support/api/response-schema.ts'
import { type Started, start } from '../support/lanes/start.ts'

// test/laws/unit/mutants.test.ts validates each field and each form of a response.
const settings = resolvePolicies('documented')
const kinds = (Object.keys(mutantKinds) as MutantKind[]).filter((kind) => kind !== 'slow')
const pageKinds = ['empty_page', 'next_parameters', 'short_page', 'row_order', 'repeated_row']
const answering = documentedEndpoints.filter(
  ({ status, response }) =>
    resolveByPolicy(status, settings) < 300 && Object.keys(response).length > 0,
)

test.each(answering)('no mutant of $id contradicts the document', async (endpoint) => {
  const { ask, simulator } = await start()
  const isValid = responseValidator(endpoint, settings)
  const isValidIfOpen = responseValidator(endpoint, settings, { isOpen: true })
  const shape = responseShape(endpoint, settings)
  const possible = kinds.filter((kind) => mutablePaths(kind, endpoint, shape).length > 0)

  for (const mutate of possible) {
    simulator.faults.add({ operation: endpoint.id, effect: { mutate } })
    const { status, body } = await ask(
      endpoint.method,
      endpointPath(endpoint),
      sampleBody(endpoint),
    )
    simulator.faults.clear()

    expect(status, mutate).toBe(resolveByPolicy(endpoint.status, settings))
    expect((mutate === 'extra_field' ? isValidIfOpen : isValid)(body), mutate).toBe(null)
  }
})

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

test.each(lists)('the links of a mutated %s %s lead to the same rows', async (operation, path) => {
  const started = await start()
  const { simulator, origin } = started
  const unchanged = await readAll(started, origin + path)

  for (const mutate of ['empty_page', 'next_parameters', 'key_order'] as const) {
    simulator.faults.add({ operation, effect: { mutate } })
    const { ids, pages } = await readAll(started, origin + path)
    simulator.faults.clear()

    expect(ids, mutate).toEqual(unchanged.ids)
    expect(pages.length - unchanged.pages.length, mutate).toBe(mutate === 'empty_page' ? 1 : 0)
    expect(new Set(pages.map(({ count }) => count)), mutate).toEqual(
      new Set(unchanged.pages.map(({ count }) => count)),
    )
  }
})

test.each([1, 2, 3, 6])(
  'the links of pages of %i rows lead to every row, also if one is on two pages',
  async (limit) => {
    const started = await start()
    const first = `${started.origin}${annotationsPath}?limit=${limit}`
    const { ids: all } = await readAll(started, first)
    const orders: number[][] = []
    for (const mutate of ['repeated_row', 'row_order'] as const) {
      started.simulator.faults.add({ operation: 'listAnnotations', effect: { mutate } })
      orders.push((await readAll(started, first)).ids)
      started.simulator.faults.clear()
    }

    expect([...new Set(orders[0])]).toEqual(all)
    expect(orders[1]).toEqual(all.toReversed())
  },
)

test('a large id is the id of a row that every operation finds', async () => {
  const { ask, simulator } = await start()
  simulator.faults.add({ operation: 'createAnnotation', effect: { mutate: 'large_id' } })
  const id = 8_999_999_999_000_000

  expect(await ask('POST', annotationsPath, { body: { content: 'Launch' } })).toMatchObject({
    status: 201,
    body: { id, content: 'Launch' },
  })

  expect(Number.isSafeInteger(id)).toBe(true)
  const row = `${annotationsPath}${id}/`
  expect(await ask('GET', row)).toMatchObject({ status: 200, body: { id } })
  expect(await ask('PATCH', row, { body: { content: 'Late' } })).toMatchObject({ status: 200 })
  expect(await ask('GET', `${annotationsPath}?search=late`)).toMatchObject({
    body: { count: 1, results: [{ id, content: 'Late' }] },
  })
  expect(await ask('POST', annotationsPath, { body: {} })).toMatchObject({ body: { id: id + 1 } })
  simulator.reset()
  expect(await ask('POST', annotationsPath, { body: {} })).toMatchObject({ body: { id: 9 } })
})

const sentBack = ['content', 'date_marker', 'creation_type', 'dashboard_item', 'scope'] as const

// Nothing but a comparison uses other values.
const shownKinds = kinds.filter((kind) => kind !== 'other_value')

test.each(shownKinds)('a client can send back what a mutant of kind %s shows', async (mutate) => {
  const { ask, simulator } = await start({
    policies: { 'annotations.scope.values': 'any', 'annotations.creation_type.values': 'any' },
  })
  const operation = mutate === 'large_id' ? 'createAnnotation' : 'retrieveAnnotation'
  const [method, path] = mutate === 'large_id' ? ['POST', ''] : ['GET', '1/']
  if (!pageKinds.includes(mutate)) {
    simulator.faults.add({ operation, effect: { mutate } })
  }
  const options = method === 'POST' ? { body: {} } : {}
  const { body } = await ask(method as string, annotationsPath + path, options)
  const shown = body as Record<string, unknown>
  const changes = Object.fromEntries(sentBack.map((name) => [name, shown[name]]))

  const response = await ask('PATCH', `${annotationsPath}${shown.id}/`, { body: changes })

  const { date_marker, ...others } = changes
  expect(response).toMatchObject({ status: 200, body: others })
  const updated = (response.body as Record<string, unknown>).date_marker
  expect(Date.parse(String(updated))).toEqual(Date.parse(String(date_marker)))
})
