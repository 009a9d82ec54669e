import { expect, test } from 'vitest'
import { endpoints } from '../../../src/api/endpoints.ts'
import type { Endpoint } from '../../../src/http/endpoint.ts'
import { emptyBody } from '../../../src/http/fields/body-fields.ts'
import {
  allowHeader,
  createPathItems,
  resolveRoute,
  servesMethod,
} from '../../../src/http/route.ts'
import { resolveByPolicy } from '../../../src/policies/by-policy.ts'
import { resolvePolicies } from '../../../src/policies/settings.ts'
import { allControlEndpoints } from '../../../src/server/control/endpoints.ts'

const settings = resolvePolicies()

/** An endpoint of the path `/api/items`. */
const endpoint = (more: Partial<Endpoint<null>> = {}): Endpoint<null> =>
  ({
    id: 'listItems',
    summary: 'List the items.',
    method: 'GET',
    path: '/api/items',
    scope: 'annotation:read',
    params: {},
    status: 200,
    errors: [],
    response: emptyBody,
    handle: () => undefined,
    ...more,
  }) as Endpoint<null>

const create = endpoint({ id: 'createItem', method: 'POST', status: 201 })
const match = { params: {}, suffix: undefined, sandboxId: undefined }

/** The only path of these endpoints. */
function itemOf(...endpoints: Endpoint<null>[]) {
  const [item, ...others] = createPathItems(endpoints)
  if (!item || others.length > 0) throw new Error('Expected one path.')
  return item
}

test.each([
  ['API', endpoints],
  ['control API', allControlEndpoints],
])('no two endpoints of the %s share an id, or method and path', (_, all) => {
  const names = all.flatMap(({ id, method, path }) => [id, `${method} ${path}`])

  expect(names).toEqual([...new Set(names)])
})

test.each([
  ['GET', 'GET', true],
  ['GET', 'HEAD', true],
  ['POST', 'HEAD', false],
  ['POST', 'GET', false],
  ['*', 'PURGE', true],
] as const)('an endpoint of %s serves %s: %s', (method, requested, expected) => {
  expect(servesMethod(endpoint({ method: method as 'GET' }), requested)).toBe(expected)
})

test('a disabled endpoint leaves its method to the endpoint for other methods', () => {
  const item = itemOf(endpoint(), { ...create, enabled: false })

  expect(resolveRoute(item, 'POST', match, settings)?.endpoint.id).toBe('anyMethod /api/items')
  expect(allowHeader(item.endpoints, settings)).toBe('GET, HEAD, OPTIONS')
})

test('undocumented methods need the scope of the resource, or refuse every scope if it has none', () => {
  const scoped = resolvePolicies('documented', {
    'methods.undocumented': 'refused_to_scoped_keys',
  })
  const list = (scope: Endpoint<null>['scope']) =>
    endpoint({ scope, query: { limit: { description: '', schema: null, read: () => 1 } } })
  const scopeOfPatch = (scope: Endpoint<null>['scope'], policies = scoped) =>
    resolveByPolicy(
      resolveRoute(itemOf(list(scope)), 'PATCH', match, policies)?.endpoint.scope ?? null,
      policies,
    )

  expect(scopeOfPatch('annotation:read')).toBe('annotation:write')
  expect(scopeOfPatch('any_key')).toBe('refused')
  expect(scopeOfPatch('annotation:read', resolvePolicies('documented'))).toBe('any_key')
})

test('OPTIONS names a path by its last word, and tells lists from instances', () => {
  const limit = { description: '', schema: null, read: () => 1 }
  const nameOf = (more: Partial<Endpoint<null>>) => {
    const item = itemOf(endpoint(more))
    const { handle } = resolveRoute(item, 'OPTIONS', match, settings)?.endpoint ?? {}
    const description = (handle as (input: object) => { name: string })({ settings })
    return description.name
  }

  expect([
    nameOf({ path: '/api/dashboard_items' }),
    nameOf({ path: '/api/dashboard_items', query: { limit } }),
    nameOf({ path: '/api/dashboard_items/:id' }),
    nameOf({ path: '/api/items', viewName: 'Things', query: { limit } }),
  ]).toEqual(['Dashboard items', 'Dashboard items List', 'Dashboard items Instance', 'Things List'])
})
