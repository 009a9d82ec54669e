import { byPolicy, isByPolicy, resolveByPolicy } from '../policies/by-policy.ts'
import type { PolicySettings } from '../policies/policies.ts'
import { acceptedMediaTypes } from './body.ts'
import type { Endpoint, Method } from './endpoint.ts'
import { Failure } from './failures.ts'
import { anyText, listOf, noBody, objectOf } from './fields/shape.ts'

/** The endpoints that share a path. */
export type PathEndpoints<W> = readonly [Endpoint<W>, ...Endpoint<W>[]]

interface MethodInput {
  readonly method: string
  readonly settings: PolicySettings
}

/** The order in which the service lists methods (observed §4.5). */
const methodOrder: readonly Method[] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']

/** `Allow`: every method of a path, or, by the policy `headers.allow`, only those that can succeed. */
export function allowHeader(siblings: PathEndpoints<never>, settings: PolicySettings): string {
  const all = settings['headers.allow'] === 'every_answer'
  const methods = methodOrder.filter((method) =>
    siblings.some(
      (sibling) =>
        sibling.method === method &&
        isEndpointEnabled(sibling, settings) &&
        (all || resolveByPolicy(sibling.status, settings) < 400),
    ),
  )
  return [...methods, ...(methods.includes('GET') ? ['HEAD'] : []), 'OPTIONS'].join(', ')
}

/** Whether the policies leave an endpoint switched on. */
export function isEndpointEnabled(endpoint: Endpoint<never>, settings: PolicySettings): boolean {
  return endpoint.enabled === undefined || resolveByPolicy(endpoint.enabled, settings)
}

/** What a path answers besides its documented endpoints: OPTIONS, and 405 to every other method. */
export function undocumentedEndpoints<W>(siblings: PathEndpoints<W>): Endpoint<W>[] {
  const refused = {
    ...sharedFields(siblings[0]),
    summary: 'A method the path does not have.',
    status: 405,
    response: noBody,
    handle({ method }: MethodInput): never {
      throw new Failure('method_not_allowed', `Method "${method}" not allowed.`)
    },
  }
  const anyMethod: Endpoint<W> = {
    ...refused,
    id: `anyMethod ${refused.path}`,
    method: '*',
    scope: byPolicy('methods.undocumented', {
      '405': 'any_key',
      refused_to_scoped_keys: 'refused',
    }),
  }
  // Observed §1 note d: of the methods a path does not have, PATCH on a list alone gets past the scopes.
  const patchList: Endpoint<W> = {
    ...refused,
    id: `patchList ${refused.path}`,
    method: 'PATCH',
    scope: 'any_key',
  }
  return [optionsEndpoint(siblings), ...(isList(siblings) ? [patchList] : []), anyMethod]
}

/** Answers OPTIONS to a key that may read there (observed §7). */
function optionsEndpoint<W>(siblings: PathEndpoints<W>): Endpoint<W> {
  const main = siblings.find(({ method }) => method === 'GET') ?? siblings[0]
  return {
    ...sharedFields(main),
    id: `options ${main.path}`,
    summary: 'What the path offers.',
    method: 'OPTIONS',
    scope: main.scope,
    status: 200,
    response: objectOf({
      name: anyText,
      description: anyText,
      renders: listOf(anyText),
      parses: listOf(anyText),
    }),
    handle: ({ settings }: MethodInput) => ({
      name: viewName(siblings),
      description: '',
      renders: ['application/json'],
      parses: acceptedMediaTypes(settings),
    }),
  }
}

/** What every endpoint of a path has in common. No id is read: the method is asked before the row (observed §1). */
function sharedFields<W>({
  path,
  checkPermission,
}: Endpoint<W>): Pick<Endpoint<W>, 'path' | 'params' | 'checkPermission' | 'errors'> {
  return { path, params: {}, errors: [], ...(checkPermission && { checkPermission }) }
}

/** A list of a resource. The extra operations have pages too, but policies decide what they answer. */
function isList(siblings: PathEndpoints<never>): boolean {
  return siblings.some(
    ({ method, query, response }) =>
      method === 'GET' && query?.limit !== undefined && !isByPolicy(response),
  )
}

function viewName(siblings: PathEndpoints<never>): string {
  const { path } = siblings[0]
  const word = path.split('/').findLast((segment) => !segment.startsWith(':')) ?? ''
  const name = `${word[0]?.toUpperCase()}${word.slice(1).replaceAll('_', ' ')}`
  if (path.endsWith('/:id')) return `${name} Instance`
  return isList(siblings) ? `${name} List` : name
}
