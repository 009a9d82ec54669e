import fc from 'fast-check'
import { type Model, main } from './model.ts'
import type { ApiRequest, Body } from './request.ts'
import type { Profile } from './rules/call.ts'
import {
  annotationBody,
  installBody,
  oddBody,
  plainBodies,
  pluginBody,
  sourceBody,
  withText,
} from './values.ts'
import { acme, beta, delta, hollow } from './world.ts'

/**
 * What a client wants to do. It names rows by numbers that are resolved when the request is sent, so that it keeps its
 * sense while fast-check removes the commands before it.
 */
export interface Intent {
  readonly method: string
  /** The path after the parent, with `:id` for a row. Null for the list of projects. */
  readonly rest: string | null
  readonly resource: 'annotations' | 'plugins'
  readonly parent: string
  readonly row: number
  readonly world: number
  /** Sends the request to the URL of the sandbox, not only with its key. */
  readonly byUrl: boolean
  readonly key: number
  readonly authorization: string | null
  /** A part of the request that can have the key instead, or a project token, which is not read. */
  readonly credential: Credential | null
  readonly accept: string | null
  readonly query: readonly (readonly [string, string])[]
  /** What follows the path: a slash, a format. */
  readonly end: string
  readonly body: Body | null
}

interface Credential {
  readonly place: 'query' | 'body'
  readonly name: 'personal_api_key' | 'token' | 'api_key'
  /** A project token, or nothing for the key of the intent. */
  readonly token: string
}

const parents = {
  annotations: fc.oneof(
    { weight: 12, arbitrary: fc.constantFrom('1', '1', '2', '3') },
    { weight: 1, arbitrary: fc.constantFrom('99', 'abc', '@current') },
  ),
  plugins: fc.oneof(
    {
      weight: 16,
      arbitrary: fc.constantFrom(acme, acme, acme, acme, acme, acme, beta, hollow, delta),
    },
    {
      weight: 1,
      arbitrary: fc.constantFrom(
        ...[acme.toUpperCase(), acme.replaceAll('-', ''), `%7B${acme}%7D`, `urn:uuid:${acme}`],
        ...[acme.replace('a', 'f'), 'abc', '@current'],
      ),
    },
  ),
}

/** What narrows one row, too, in `live`. */
const searchPair = fc.tuple(
  fc.constant('search'),
  fc.constantFrom('release', 'release 1', 'theirs', 'a', 'zzz', ''),
)

const queryPair = fc.oneof(
  fc.tuple(
    fc.constant('limit'),
    fc.constantFrom('1', '2', '3', '0', '-1', '', 'abc', '1.5', '+2', ' 2', '1_0', '100'),
  ),
  fc.tuple(fc.constant('offset'), fc.constantFrom('0', '1', '2', '5', '100', '-1', 'x', '')),
  fc.tuple(
    fc.constant('search'),
    fc.constantFrom('release', 'RELEASE 1', 'spring,campaign', '%', '', ' , ', 'nothing', 'größe'),
  ),
  searchPair,
  fc.tuple(fc.constant('format'), fc.constantFrom('json', 'json', 'xml', '')),
  fc.tuple(fc.constantFrom('foo', 'a b', 'Z', 'ü'), fc.constantFrom('', 'x y', "it's!", '&=')),
)

const activityPair = fc.tuple(
  fc.constantFrom('limit', 'page', 'page'),
  fc.constantFrom('1', '2', '3', '+2', ' 1', 'x', '', '1.5', '20'),
)

const ids = fc.oneof(
  { weight: 9, arbitrary: fc.nat({ max: 30 }) },
  // Rows that do not exist: see idFor.
  { weight: 1, arbitrary: fc.constantFrom(-1, -2, -3) },
)

const shared = {
  row: ids,
  world: fc.nat({ max: 5 }),
  byUrl: fc.boolean(),
  key: fc.oneof(
    { weight: 2, arbitrary: fc.constantFrom(0, 0, 0, 1) },
    { weight: 1, arbitrary: fc.nat({ max: 24 }) },
  ),
  authorization: fc.oneof(
    { weight: 30, arbitrary: fc.constant('Bearer KEY') },
    {
      weight: 2,
      arbitrary: fc.constantFrom(
        null,
        'bearer KEY',
        'Token KEY',
        'Bearer   KEY',
        'Bearer phx_unknown',
        'Bearer GONE',
        'Bearer GONE',
        'Bearer x',
        'Bearer',
      ),
    },
  ),
  accept: fc.oneof(
    { weight: 20, arbitrary: fc.constant('application/json') },
    { weight: 1, arbitrary: fc.constantFrom('*/*', 'text/html', 'text/html, */*;q=0.1') },
  ),
  credential: fc.oneof(
    { weight: 20, arbitrary: fc.constant(null) },
    {
      weight: 2,
      arbitrary: fc.record<Credential>({
        place: fc.constantFrom('query', 'body'),
        name: fc.constantFrom('personal_api_key', 'personal_api_key', 'token', 'api_key'),
        token: fc.constantFrom('phc_project_1', 'phc_project_2', 'phc_project_3', 'phc_x', ''),
      }),
    },
  ),
  end: fc.oneof(
    { weight: 20, arbitrary: fc.constantFrom('', '/') },
    {
      weight: 1,
      arbitrary: fc.constantFrom('.json', '/.json', '.xml', '.json/', '.5', '//', '%2F'),
    },
  ),
}

/** Mostly the key from before scopes existed: only such keys reach the other operations in `live`. */
const oldKey = fc.oneof(
  { weight: 8, arbitrary: fc.constantFrom(1, 1, 1, 2) },
  { weight: 1, arbitrary: shared.key },
)

const none = fc.constant<Body | null>(null)
const listQuery = fc.array(queryPair, { maxLength: 3 })
const rowQuery = fc.oneof(
  { weight: 4, arbitrary: fc.constant([]) },
  { weight: 1, arbitrary: fc.tuple(searchPair) },
)
const logQuery = fc.array(fc.oneof(activityPair, activityPair, queryPair), { maxLength: 3 })

function intent(
  method: string,
  resource: Intent['resource'],
  rest: string | null,
  body: fc.Arbitrary<Body | null> = none,
): fc.Arbitrary<Intent> {
  const isList = (method === 'GET' || method === 'HEAD') && !rest?.includes(':id')
  const isExtra = resource === 'plugins' && rest !== '' && rest !== '/:id'
  return fc.record({
    ...shared,
    method: fc.constant(method),
    resource: fc.constant(resource),
    rest: fc.constant(rest),
    parent: parents[resource],
    key: isExtra ? oldKey : shared.key,
    query: rest === '/activity' ? logQuery : isList ? listQuery : rowQuery,
    body,
  })
}

const reads = (resource: Intent['resource'], rest: string | null) =>
  fc.oneof(
    { weight: 9, arbitrary: intent('GET', resource, rest) },
    { weight: 1, arbitrary: intent('HEAD', resource, rest) },
  )

/** What the two profiles answer nearly alike. */
const usualIntent: fc.Arbitrary<Intent> = fc.oneof(
  { weight: 4, arbitrary: reads('annotations', '') },
  { weight: 5, arbitrary: intent('POST', 'annotations', '', annotationBody) },
  { weight: 3, arbitrary: reads('annotations', '/:id') },
  { weight: 6, arbitrary: intent('PATCH', 'annotations', '/:id', annotationBody) },
  { weight: 1, arbitrary: intent('DELETE', 'annotations', '/:id') },
  { weight: 1, arbitrary: reads('annotations', null) },
  { weight: 3, arbitrary: reads('plugins', '') },
  { weight: 2, arbitrary: intent('POST', 'plugins', '', pluginBody) },
  { weight: 2, arbitrary: reads('plugins', '/:id') },
  { weight: 3, arbitrary: intent('PATCH', 'plugins', '/:id', pluginBody) },
  { weight: 2, arbitrary: intent('DELETE', 'plugins', '/:id') },
)

/** Methods that a path does not have, bodies that a method does not need, and paths that nobody has. */
const oddIntent: fc.Arbitrary<Intent> = fc.oneof(
  intent('PUT', 'annotations', '/:id', annotationBody),
  intent('PUT', 'plugins', '/:id', pluginBody),
  intent('PATCH', 'annotations', '', oddBody),
  intent('PATCH', 'annotations', null),
  intent('POST', 'annotations', '/:id'),
  intent('DELETE', 'annotations', '/:id', oddBody),
  intent('DELETE', 'plugins', '/:id', oddBody),
  intent('DELETE', 'plugins', '', none),
  intent('POST', 'plugins', '/:id/source', pluginBody),
  intent('OPTIONS', 'annotations', '/:id'),
  intent('OPTIONS', 'annotations', null),
  intent('OPTIONS', 'plugins', '/:id/upgrade'),
  intent('OPTIONS', 'plugins', '/unused'),
  intent('GET', 'annotations', '/:id/nothing'),
  intent('OPTIONS', 'annotations', '/:id/nothing', oddBody),
  intent('PROPFIND', 'annotations', '/:id/nothing'),
  intent('PROPFIND', 'plugins', '/:id'),
  intent('GET', 'plugins', '/:id/update_source'),
)

/** Where `live` differs most: installing plugins, and the eight operations beside the usual five. */
const extraIntent: fc.Arbitrary<Intent> = fc.oneof(
  { weight: 6, arbitrary: intent('POST', 'plugins', '', installBody) },
  { weight: 3, arbitrary: reads('plugins', '/:id/check_for_updates') },
  { weight: 2, arbitrary: reads('plugins', '/:id/source') },
  { weight: 4, arbitrary: intent('PATCH', 'plugins', '/:id/update_source', sourceBody) },
  { weight: 1, arbitrary: intent('PATCH', 'plugins', '/:id/update_source', pluginBody) },
  { weight: 4, arbitrary: intent('POST', 'plugins', '/:id/upgrade', pluginBody) },
  { weight: 3, arbitrary: reads('plugins', '/activity') },
  { weight: 3, arbitrary: reads('plugins', '/exports_unsubscribe_configs') },
  { weight: 1, arbitrary: reads('plugins', '/repository') },
  { weight: 2, arbitrary: reads('plugins', '/unused') },
)

/** Every operation of the document, and others. */
export const anyIntent = (profile: Profile): fc.Arbitrary<Intent> =>
  fc.oneof(
    { weight: 8, arbitrary: usualIntent },
    { weight: 1, arbitrary: oddIntent },
    { weight: profile === 'live' ? 8 : 2, arbitrary: extraIntent },
  )

/** What concurrent clients want: most of them write to the same row, and nothing is refused. */
export const concurrentIntents: fc.Arbitrary<Intent[]> = fc
  .tuple(
    fc.constantFrom('annotations' as const, 'plugins' as const),
    fc.nat({ max: 3 }),
    shared.world,
  )
  .chain(([resource, row, world]) => {
    const body = plainBodies[resource]
    const one = fc.oneof(
      { weight: 5, arbitrary: intent('PATCH', resource, '/:id', body) },
      { weight: 2, arbitrary: intent('POST', resource, '', body) },
      { weight: 1, arbitrary: intent('GET', resource, '') },
      { weight: 1, arbitrary: intent('GET', resource, '/:id') },
      {
        weight: 1,
        arbitrary:
          resource === 'plugins'
            ? intent('DELETE', resource, '/:id')
            : intent('PATCH', resource, '/:id', body),
      },
    )
    return fc.array(one, { minLength: 1, maxLength: 4 }).map((intents) =>
      intents.map((each, index) => ({
        ...each,
        world,
        // The last one is free to choose another row.
        row: index === 3 ? each.row : row,
        parent: resource === 'plugins' ? acme : '1',
        key: 0,
        authorization: 'Bearer KEY',
        credential: null,
        accept: 'application/json',
        end: '',
        query: [],
      })),
    )
  })

/** Picks a world by a number. */
export function worldAt(model: Model, number: number): string {
  // The main world is more likely: it is where restarts matter.
  return model.worlds[number % (model.worlds.length + 2)] ?? main
}

/** The request of an intent in the present state. */
export function toRequest(one: Intent, model: Model, origin: string): ApiRequest {
  const world = worldAt(model, one.world)
  const { keys } = model.rows(world)
  const key = keys[one.key % Math.max(1, keys.length)]?.value ?? 'phx_gone'
  const isByUrl = world !== main && one.byUrl
  const id = String(idFor(one, model, world))
  const start =
    one.resource === 'plugins'
      ? `/api/organizations/${one.parent}/plugins`
      : `/api/projects/${one.parent}/annotations`
  const path = one.rest === null ? '/api/projects' : `${start}${one.rest.replace(':id', id)}`
  const { credential: sent } = one
  const secret = sent?.name === 'personal_api_key' ? key : (sent?.token ?? '')
  return {
    method: one.method,
    base: isByUrl ? `${origin}/__sandbox/${world}` : origin,
    sandbox: isByUrl ? world : null,
    path: `${path}${one.end}`,
    query: sent?.place === 'query' ? [...one.query, [sent.name, secret]] : one.query,
    authorization:
      sent?.name === 'personal_api_key'
        ? null
        : (one.authorization?.replace('KEY', key).replace('GONE', model.goneKey) ?? null),
    accept: one.accept,
    body: sent?.place === 'body' ? withText(one.body, sent.name, secret) : one.body,
  }
}

function idFor({ row, resource }: Intent, model: Model, world: string): number | string {
  if (row < 0) return ['999', 'abc', '0'][-row - 1] as string
  const rows = model.rows(world)[resource]
  return rows[row % Math.max(1, rows.length)]?.id ?? 999
}
