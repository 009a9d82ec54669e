import { visibleLists } from '../../api/annotations/annotations.ts'
import { endpoints } from '../../api/endpoints.ts'
import type { ApiError } from '../../http/failures.ts'
import { suggestEndpoints } from '../../http/unknown-path.ts'
import { sandboxPrefix, splitPath } from '../../http/url.ts'
import { resolveByPolicy } from '../../policies/by-policy.ts'
import { findRoute } from '../../sandbox/journal/past-request.ts'
import type { Sandbox } from '../../sandbox/sandbox.ts'
import { isObject } from '../../utils/json.ts'
import { didYouMean } from '../../utils/usage-error.ts'
import type { KeyRow, ProjectRow } from '../../world/rows.ts'
import { visiblePluginIndexes } from '../../world/table/tables.ts'

/** A request without anything unusual: its key is in the header, and its body is JSON. */
export interface PlainRequest {
  readonly method: string
  /** What precedes the path of the API, such as the path of a sandbox */
  readonly prefix: string
  readonly path: string
  readonly query: string
  /** The value of the key, or null for none */
  readonly key: string | null
  /** Undefined for no body */
  readonly body: unknown
}

type Correct = (request: PlainRequest, failure: ApiError, sandbox: Sandbox) => PlainRequest[]

/** Lists requests that may not have a failure, the likeliest first. Some of them may fail, too. */
export function listCorrections(
  request: PlainRequest,
  failure: ApiError,
  sandbox: Sandbox,
): PlainRequest[] {
  return (
    corrections[failure.code]?.(request, failure, sandbox) ??
    correctField(request, failure, sandbox)
  )
}

/** By the code of the failure. Any other code is about a field. */
const corrections: Readonly<Record<string, Correct>> = {
  not_authenticated: useOtherKey,
  authentication_failed: useOtherKey,
  permission_denied: (request, failure, sandbox) => [
    ...changeMethod(request, sandbox),
    ...useOtherKey(request, failure, sandbox),
    ...changePath(request, sandbox),
  ],
  method_not_allowed: (request, _failure, sandbox) => changeMethod(request, sandbox),
  not_found: (request, _failure, sandbox) => [
    withoutParameters(request, ['format', 'search']),
    ...changePath(request, sandbox),
  ],
  no_route: (request, failure, sandbox) => [
    withoutParameters(request, []),
    ...useNearestRoute(request, failure, sandbox),
  ],
  parse_error: (request) => [{ ...request, body: undefined }],
  throttled: () => [],
  request_too_large: () => [],
  // Seen in the live service: without url, only the type source does not crash.
  error: (request) => [withFields(request, { plugin_type: 'source' })],
}

/** Other keys are not tried: a world can have very many. */
const maxKeys = 50

/** The keys that the caller is likeliest to have: of the same user, and with few scopes. */
function useOtherKey(
  request: PlainRequest,
  _failure: ApiError,
  { tables, isTakenElsewhere }: Sandbox,
): PlainRequest[] {
  const user = tables.keys.get(request.key ?? '')?.user
  // Without the URL of a sandbox, the key selects one.
  const isAtSandbox = request.prefix.includes(`${sandboxPrefix}/`)
  const rank = ({ user: owner, scopes }: KeyRow): number =>
    (owner === user ? 0 : 1_000) +
    (scopes === null || scopes.includes('*') ? 100 : scopes.length || 50)
  return [...tables.keys.values()]
    .filter(({ value }) => isAtSandbox || !isTakenElsewhere(value))
    .sort((a, b) => rank(a) - rank(b))
    .slice(0, maxKeys)
    .map(({ value }) => withoutParameters({ ...request, key: value }, ['token', 'api_key']))
}

/** Leaves out parameters, and a suffix such as `.json`. */
function withoutParameters(request: PlainRequest, names: readonly string[]): PlainRequest {
  const query = new URLSearchParams(request.query)
  for (const name of names) query.delete(name)
  const path = request.path.replace(/\/?\.[a-z0-9]+(\/?)$/, '$1')
  return { ...request, path, query: String(query) }
}

/** Annotations are deleted by PATCH. Another method becomes the one that is nearest to it. */
function changeMethod(request: PlainRequest, sandbox: Sandbox): PlainRequest[] {
  const settings = sandbox.policyTracker.untracked
  const route = findRoute({ method: request.method, target: request.path }, settings)
  if (route?.endpoint.id === 'deleteAnnotation') {
    return [{ ...request, method: 'PATCH', body: { deleted: true } }]
  }
  if (route && !/^(?:anyMethod|patchList) /.test(route.endpoint.id)) return []
  const others = [request.method === 'POST' ? 'PATCH' : 'POST', 'PATCH', 'GET']
  const isKnown = (method: string): boolean | undefined =>
    route?.pathItem.endpoints.some((each) => each.method === method)
  // A request without a body reads, unless the path has no GET.
  return (request.body === undefined && isKnown('GET') ? ['GET'] : others)
    .filter(isKnown)
    .map((method) => ({ ...request, method, ...(method === 'GET' && { body: undefined }) }))
}

/** The same operation on a project, an organization or a row that the key can see. */
function changePath(request: PlainRequest, sandbox: Sandbox): PlainRequest[] {
  const { tables } = sandbox
  const settings = sandbox.policyTracker.untracked
  const route = findRoute({ method: request.method, target: request.path }, settings)
  const user = tables.users.get(tables.keys.get(request.key ?? '')?.user ?? 0)
  if (!route || !user) return []
  const { params, pathItem } = route
  const withParams = (changed: Readonly<Record<string, string | number>>): PlainRequest => {
    const values: Readonly<Record<string, string | number>> = { ...params, ...changed }
    const path = pathItem.pattern.text.replace(/:(\w+)/g, (_, name) => String(values[name]))
    return { ...request, path: `${path}/` }
  }
  const organizations = user.organizations
  if (params.organization_id !== undefined) {
    return organizations.flatMap((organization_id) => {
      const visible = tables.plugins.list(visiblePluginIndexes(organization_id, false)).slice(0, 1)
      return withRows(
        organization_id,
        'organization_id',
        visible.map(({ row }) => row.id),
      )
    })
  }
  const projects = [...tables.projects.values()].filter((each) =>
    organizations.includes(each.organization),
  )
  const owner = tables.annotations.get(Number(params.id))?.project
  const ownFirst = [...projects].sort((a, b) => Number(b.id === owner) - Number(a.id === owner))
  return ownFirst.flatMap((project: ProjectRow) => {
    const visible = tables.annotations.list(visibleLists(project, false)).slice(0, 1)
    return withRows(
      project.id,
      'project_id',
      visible.map(({ row }) => row.id),
    )
  })

  function withRows(
    parent: string | number,
    name: string,
    [id]: readonly number[],
  ): PlainRequest[] {
    const sameRow = withParams({ [name]: parent })
    return params.id === undefined || id === undefined
      ? [sameRow]
      : [sameRow, withParams({ [name]: parent, id })]
  }
}

function useNearestRoute(
  request: PlainRequest,
  _failure: ApiError,
  sandbox: Sandbox,
): PlainRequest[] {
  const { tables } = sandbox
  const settings = sandbox.policyTracker.untracked
  const [project] = tables.projects.values()
  const values: Readonly<Record<string, string | number | undefined>> = {
    project_id: project?.id,
    organization_id: project?.organization,
  }
  const segments = splitPath(request.path)
  return suggestEndpoints(request.method, request.path, endpoints, settings).map(({ route }) => {
    const [method = '', pattern = ''] = route.split(' ')
    const path = splitPath(pattern).map((segment, index) => {
      const value = values[segment.slice(1)] ?? 1
      if (!segment.startsWith(':')) return segment
      return segments[index] || String(value)
    })
    return {
      ...request,
      method,
      path: `/${path.join('/')}/`,
      ...(method === 'GET' && { body: undefined }),
    }
  })
}

/** Values for fields that are required. */
const examples = { name: 'Example', url: 'https://github.com/example/example' }

/** Replaces the value of a field by the nearest one that is valid, or leaves the field out. */
function correctField(
  request: PlainRequest,
  { attr, code }: ApiError,
  sandbox: Sandbox,
): PlainRequest[] {
  const { body } = request
  if (attr === null) {
    const [first] = Array.isArray(body) ? body : []
    return isObject(body) ? [] : [{ ...request, body: isObject(first) ? first : {} }]
  }
  if (!isObject(body) || !Object.hasOwn(body, attr)) {
    if (code === 'required') return [withFields(request, { [attr]: examples[attr as 'name'] })]
    return [withoutParameters(request, [attr])]
  }
  const { [attr]: value, ...others } = body
  const settings = sandbox.policyTracker.untracked
  const route = findRoute({ method: request.method, target: request.path }, settings)
  const fields = resolveByPolicy(route?.endpoint.body ?? null, settings)?.fields
  const schema = fields?.[attr] && resolveByPolicy(fields[attr], settings).schema(settings)
  const nearest = Array.isArray(schema?.enum) && didYouMean(String(value), schema.enum)
  const [text] = (schema?.anyOf ?? []) as readonly { readonly maxLength?: number }[]
  const values = [
    ...(nearest ? [nearest] : []),
    ...(code === 'max_length' ? [[...String(value)].slice(0, text?.maxLength).join('')] : []),
    ...(typeof value === 'boolean' ? [String(value)] : []),
  ]
  return [
    ...values.map((each) => withFields(request, { [attr]: each })),
    { ...request, body: others },
  ]
}

function withFields(request: PlainRequest, fields: object): PlainRequest {
  return { ...request, body: { ...(isObject(request.body) && request.body), ...fields } }
}
