import fc from 'fast-check'
import { type DocumentedOperation, operations } from '../support/api/document.ts'
import { type Model, main } from './model.ts'
import type { ApiRequest, Body } from './request.ts'
import type { Profile } from './rules/call.ts'
import {
  annotationBody,
  installBody,
  oddBody,
  pluginBody,
  sourceBody,
  weighted,
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
  annotations: weighted(
    [12, fc.constantFrom('1', '1', '2', '3')],
    [1, fc.constantFrom('99', 'abc', '@current')],
  ),
  plugins: weighted(
    [16, fc.constantFrom(acme, acme, acme, acme, acme, acme, beta, hollow, delta)],
    [
      1,
      fc.constantFrom(
        ...[acme.toUpperCase(), acme.replaceAll('-', ''), `%7B${acme}%7D`, `urn:uuid:${acme}`],
        ...[acme.replace('a', 'f'), 'abc', '@current'],
      ),
    ],
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
  fc.constantFrom('1', '2', '3', '+2', ' 1', 'x', '', '1.5', '20', '0', '-1'),
)

/** Ids of no row. A negative row is one of these. */
const noIds = ['999', 'abc', '0', '-1', '1e3', '0x1', '1,2', '%00', '9'.repeat(20)]
const ids = weighted([9, fc.nat({ max: 30 })], [1, fc.integer({ min: -noIds.length, max: -1 })])

const shared = {
  row: ids,
  world: fc.nat({ max: 5 }),
  byUrl: fc.boolean(),
  key: weighted([2, fc.constantFrom(0, 0, 0, 1)], [1, fc.nat({ max: 24 })]),
  authorization: weighted<string | null>(
    [30, fc.constant('Bearer KEY')],
    [
      2,
      fc.constantFrom(
        ...[null, 'bearer KEY', 'Token KEY', 'Bearer   KEY', 'Bearer phx_unknown'],
        ...['Bearer GONE', 'Bearer GONE', 'Bearer x', 'Bearer'],
      ),
    ],
  ),
  accept: weighted(
    [20, fc.constant('application/json')],
    [1, fc.constantFrom('*/*', 'text/html', 'text/html, */*;q=0.1')],
  ),
  credential: weighted<Credential | null>(
    [20, fc.constant(null)],
    [
      2,
      fc.record<Credential>({
        place: fc.constantFrom('query', 'body'),
        name: fc.constantFrom('personal_api_key', 'personal_api_key', 'token', 'api_key'),
        token: fc.constantFrom('phc_project_1', 'phc_project_2', 'phc_project_3', 'phc_x', ''),
      }),
    ],
  ),
  end: weighted(
    [20, fc.constantFrom('', '/')],
    [1, fc.constantFrom('.json', '/.json', '.xml', '.json/', '.5', '//', '%2F')],
  ),
}

/** Mostly the key from before scopes existed: only such keys reach the other operations in `live`. */
const oldKey = weighted([8, fc.constantFrom(1, 1, 1, 2)], [1, shared.key])

const none = fc.constant<Body | null>(null)
const listQuery = fc.array(queryPair, { maxLength: 3 })
const rowQuery = weighted<[string, string][]>([4, fc.constant([])], [1, fc.tuple(searchPair)])
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

/** The resource of a path of the document, and what follows its parent. */
function placeOf(path: string): [resource: Intent['resource'], rest: string | null] {
  const [, name = 'annotations', rest = null] = /\/(annotations|plugins)(.*)$/.exec(path) ?? []
  return [name as Intent['resource'], rest]
}

const bodies = {
  ...{ annotation: annotationBody, annotations: annotationBody },
  ...{ plugin: pluginBody, plugins: pluginBody },
}

/** A request of an operation, with a body that it reads. */
function documented({ id, method, path, body }: DocumentedOperation): fc.Arbitrary<Intent> {
  const [resource, rest] = placeOf(path)
  if (method === 'GET') {
    return weighted([9, intent('GET', resource, rest)], [1, intent('HEAD', resource, rest)])
  }
  if (id === 'updatePluginSource') {
    return intent(method, resource, rest, weighted([4, sourceBody], [1, pluginBody]))
  }
  return intent(method, resource, rest, body ? bodies[body] : none)
}

/** What the two profiles answer nearly alike, and how often it is sent. */
const usual: Readonly<Record<string, number>> = {
  ...{ listAnnotations: 4, createAnnotation: 5, retrieveAnnotation: 3, updateAnnotation: 6 },
  ...{ deleteAnnotation: 1, listProjects: 3, listPlugins: 3, createPlugin: 2, retrievePlugin: 2 },
  ...{ updatePlugin: 3, deletePlugin: 2 },
}
const usualIntent = weighted(
  ...operations.flatMap((operation) => {
    const weight = usual[operation.id]
    return weight === undefined ? [] : [[weight, documented(operation)] as const]
  }),
)

/** Where `live` differs most: installing plugins, and the operations beside the usual ones. */
const extraIntent = weighted(
  [6, intent('POST', 'plugins', '', installBody)],
  ...operations
    .filter(({ id }) => !(id in usual))
    .map((operation) => [3, documented(operation)] as const),
)

const resources = ['annotations', 'plugins'] as const
const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'PROPFIND']

/** A method that a path of the document does not have. */
const missingMethod = fc.oneof(
  ...[...new Set(operations.map(({ path }) => path))].flatMap((path) =>
    methods
      .filter((method) => !operations.some((it) => it.path === path && it.method === method))
      .map((method) => intent(method, ...placeOf(path), method === 'GET' ? none : oddBody)),
  ),
)

/** Methods that a path does not have, bodies that a method does not need, and paths that nobody has. */
const oddIntent: fc.Arbitrary<Intent> = weighted(
  [8, missingMethod],
  ...resources.flatMap((resource) => [
    [1, intent('PUT', resource, '/:id', bodies[resource])] as const,
    [1, intent('DELETE', resource, '/:id', oddBody)] as const,
  ]),
  ...['GET', 'OPTIONS', 'PROPFIND'].map(
    (method) => [1, intent(method, 'annotations', '/:id/nothing')] as const,
  ),
)

/** Every operation of the document, and others. */
export const anyIntent = (profile: Profile): fc.Arbitrary<Intent> =>
  weighted([8, usualIntent], [1, oddIntent], [profile === 'live' ? 8 : 2, extraIntent])

/** Picks a world by a number. */
export function worldAt(model: Model, number: number): string {
  // The main world is more likely: it is where restarts matter.
  return model.worlds[number % (model.worlds.length + 2)] ?? main
}

/** The request of an intent in the present state. */
export function toRequest(intent: Intent, model: Model, origin: string): ApiRequest {
  const world = worldAt(model, intent.world)
  const { keys } = model.rows(world)
  const key = keys[intent.key % Math.max(1, keys.length)]?.value ?? 'phx_gone'
  const isByUrl = world !== main && intent.byUrl
  const id = String(idFor(intent, model, world))
  const start =
    intent.resource === 'plugins'
      ? `/api/organizations/${intent.parent}/plugins`
      : `/api/projects/${intent.parent}/annotations`
  const path = intent.rest === null ? '/api/projects' : `${start}${intent.rest.replace(':id', id)}`
  const { credential: sent } = intent
  const secret = sent?.name === 'personal_api_key' ? key : (sent?.token ?? '')
  return {
    method: intent.method,
    base: isByUrl ? `${origin}/__sandbox/${world}` : origin,
    sandbox: isByUrl ? world : null,
    path: `${path}${intent.end}`,
    query: sent?.place === 'query' ? [...intent.query, [sent.name, secret]] : intent.query,
    authorization:
      sent?.name === 'personal_api_key'
        ? null
        : (intent.authorization?.replace('KEY', key).replace('GONE', model.goneKey) ?? null),
    accept: intent.accept,
    body: sent?.place === 'body' ? withText(intent.body, sent.name, secret) : intent.body,
  }
}

function idFor({ row, resource }: Intent, model: Model, world: string): number | string {
  if (row < 0) return noIds[-row - 1] as string
  const rows = model.rows(world)[resource]
  return rows[row % Math.max(1, rows.length)]?.id ?? 999
}
