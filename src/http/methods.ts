import { Failure } from '../errors.ts'
import { anyText, listOf, nothing, objectOf } from '../fields/shape.ts'
import { byPolicy, isByPolicy, resolve } from '../policies/by-policy.ts'
import type { PolicySettings } from '../policies/policies.ts'
import { parses } from './body.ts'
import type { Endpoint, Method } from './endpoint.ts'

/** The endpoints that share a path. */
export type Siblings<W> = readonly [Endpoint<W>, ...Endpoint<W>[]]

interface Asked {
  readonly method: string
  readonly settings: PolicySettings
}

/** The order in which the service lists methods (observed §4.5). */
const order: readonly Method[] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']

/** `Allow`: every method of a path, or, by the policy `headers.allow`, only those that can succeed. */
export function allow(siblings: Siblings<never>, settings: PolicySettings): string {
  const all = settings['headers.allow'] === 'every_answer'
  const methods = order.filter((method) =>
    siblings.some(
      (sibling) =>
        sibling.method === method &&
        isEnabled(sibling, settings) &&
        (all || resolve(sibling.status, settings) < 400),
    ),
  )
  return [...methods, ...(methods.includes('GET') ? ['HEAD'] : []), 'OPTIONS'].join(', ')
}

/** Whether the policies leave an endpoint switched on. */
export function isEnabled(endpoint: Endpoint<never>, settings: PolicySettings): boolean {
  return endpoint.enabled === undefined || resolve(endpoint.enabled, settings)
}

/** What a path answers besides its documented endpoints: OPTIONS, and 405 to every other method. */
export function undocumented<W>(siblings: Siblings<W>): Endpoint<W>[] {
  const refused = {
    ...bare(siblings[0]),
    summary: 'A method the path does not have.',
    status: 405,
    response: nothing,
    handle({ method }: Asked): never {
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
  return [optionsOf(siblings), ...(isList(siblings) ? [patchList] : []), anyMethod]
}

/** Answers OPTIONS to a key that may read there (observed §7). */
function optionsOf<W>(siblings: Siblings<W>): Endpoint<W> {
  const main = siblings.find(({ method }) => method === 'GET') ?? siblings[0]
  return {
    ...bare(main),
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
    handle: ({ settings }: Asked) => ({
      name: nameOf(siblings),
      description: '',
      renders: ['application/json'],
      parses: parses(settings),
    }),
  }
}

/** What every endpoint of a path has in common. No id is read: the method is asked before the row (observed §1). */
function bare<W>({
  path,
  admit,
}: Endpoint<W>): Pick<Endpoint<W>, 'path' | 'params' | 'admit' | 'errors'> {
  return { path, params: {}, errors: [], ...(admit && { admit }) }
}

/** A list of a resource. The extra operations have pages too, but policies decide what they answer. */
function isList(siblings: Siblings<never>): boolean {
  return siblings.some(
    ({ method, query, response }) =>
      method === 'GET' && query?.limit !== undefined && !isByPolicy(response),
  )
}

function nameOf(siblings: Siblings<never>): string {
  const { path } = siblings[0]
  const word = path.split('/').findLast((segment) => !segment.startsWith(':')) ?? ''
  const name = `${word[0]?.toUpperCase()}${word.slice(1).replaceAll('_', ' ')}`
  if (path.endsWith('/:id')) return `${name} Instance`
  return isList(siblings) ? `${name} List` : name
}
