import type { ApiRequest, ApiResponse } from '../request.ts'
import { type Json, pick, type Rows } from '../rows.ts'
import { authenticate, authorize } from './access.ts'
import { activityPage } from './activity.ts'
import * as annotations from './annotations.ts'
import { denied, notAcceptable, notAllowed, notFound, Refusal, reply } from './answers.ts'
import { parseBody } from './bodies.ts'
import type { AnnotationCall, Call, Caller, PluginCall } from './call.ts'
import { formatTime } from './dates.ts'
import * as extras from './extras.ts'
import { page } from './pages.ts'
import * as plugins from './plugins.ts'
import { allowOf, findRoute, operationOf, type Route } from './routes.ts'
import * as sources from './sources.ts'

/** What the service answers, and what it stores in the rows. */
export function answer(rows: Rows, request: ApiRequest, now: number, live: boolean): ApiResponse {
  const route = findRoute(request.path)
  const response = withAllow(request, route, live, () => {
    requireFormat(request, route)
    if (!route) return answerUnknownPath(request)
    const method = request.method === 'HEAD' ? 'GET' : request.method
    const parse = () => parseBody(request, live)
    return carryOut({ rows, live, request, method, route, now: formatTime(now), parse })
  })
  return request.method === 'HEAD' ? { ...response, body: undefined } : response
}

/** In `live`, every response names the methods of its path. */
function withAllow(
  request: ApiRequest,
  route: Route | null,
  live: boolean,
  respond: () => ApiResponse,
): ApiResponse {
  const allow = route ? allowOf(route, live) : methodsOfUnknownPaths.join(', ')
  const always = live || !route || request.method === 'OPTIONS'
  try {
    return { ...respond(), allow: always ? allow : null }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return reply(error.status, error.body, always || error.status === 405 ? allow : null)
  }
}

/** The format of a response: the suffix of the path, else a parameter, and the header Accept. */
function requireFormat(request: ApiRequest, route: Route | null): void {
  const { query, accept } = request
  const format = route?.format ?? query.findLast(([name]) => name === 'format')?.[1]
  const types = (accept ?? '*/*').split(',').map((type) => type.split(';')[0]?.trim())
  const isAcceptable = types.some((type) =>
    ['*/*', 'application/*', 'application/json'].includes(type ?? ''),
  )
  if (!isAcceptable) throw notAcceptable()
  if (format && format !== 'json') throw notFound()
}

const methodsOfUnknownPaths = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']

/** No key is looked at. */
function answerUnknownPath({ method }: ApiRequest): ApiResponse {
  if (method === 'OPTIONS') return { ...reply(200), type: null }
  if (!methodsOfUnknownPaths.includes(method)) throw notAllowed(method)
  throw notFound('Endpoint not found.')
}

/** The checks of key, parent and method, then the operation. */
function carryOut(call: Call): ApiResponse {
  const { live, method, route, request } = call
  const caller = authenticate(call)
  const { project, organization } = authorize(call, caller)
  if (method === 'OPTIONS') return { ...reply(200), type: null }
  const operation = operationOf(route, method, live)
  if (operation === undefined) throw notAllowed(method)
  if (operation === 'deleteAnnotation') {
    if (live) return { ...reply(405), type: null }
    throw notAllowed(method, ' Use PATCH with deleted set to true.')
  }
  if (project) return carriedOut(onAnnotations, operation, { ...call, ...caller, project })
  if (organization) return carriedOut(onPlugins, operation, { ...call, ...caller, organization })
  return reply(200, listProjects(call.rows, caller, request))
}

type Operations<C extends Call> = Readonly<Record<string, (call: C) => ApiResponse>>

const onAnnotations: Operations<AnnotationCall> = {
  listAnnotations: (call) => reply(200, annotations.list(call)),
  createAnnotation: (call) => reply(201, annotations.create(call)),
  retrieveAnnotation: (call) => reply(200, annotations.retrieve(call)),
  updateAnnotation: (call) => reply(200, annotations.update(call)),
  replaceAnnotation: (call) => reply(200, annotations.update(call)),
}

const onPlugins: Operations<PluginCall> = {
  listPlugins: (call) => reply(200, plugins.list(call)),
  createPlugin(call) {
    const shown = plugins.show(call.rows, plugins.create(call))
    return { ...reply(201, shown), location: call.live ? String(shown.url ?? 'None') : null }
  },
  retrievePlugin: (call) => reply(200, plugins.show(call.rows, plugins.find(call))),
  updatePlugin: (call) => reply(200, plugins.update(call)),
  replacePlugin: (call) => reply(200, plugins.update(call)),
  deletePlugin(call) {
    plugins.remove(call)
    return reply(204)
  },
  retrievePluginSource: (call) => reply(200, sources.source(call)),
  updatePluginSource: (call) => reply(200, sources.updateSource(call)),
  checkPluginForUpdates: (call) => reply(200, sources.checkForUpdates(call)),
  upgradePlugin: (call) => reply(200, sources.upgrade(call)),
  listPluginActivity: either(activityPage, extras.latestChanged),
  listExportsUnsubscribeConfigs: either(extras.exportList, extras.firstExporting),
  listPluginRepository: either(extras.catalogue, extras.firstCatalogued),
  listUnusedPlugins: either(extras.unusedIds, extras.firstUnused),
}

/** What `live` answers, and what the documentation shows. */
function either(live: (call: PluginCall) => Json, documented: (call: PluginCall) => Json) {
  return (call: PluginCall) => reply(200, (call.live ? live : documented)(call))
}

function carriedOut<C extends Call>(all: Operations<C>, operation: string, call: C): ApiResponse {
  const carryOut = all[operation]
  if (carryOut) return carryOut(call)
  throw new Error(`The model has no rule for ${operation}: write one, and add it to answer.ts.`)
}

const projectFields = [
  ...(['id', 'uuid', 'organization', 'api_token', 'name'] as const),
  ...(['completed_snippet_onboarding', 'has_completed_onboarding_for'] as const),
  ...(['ingested_event', 'is_demo', 'timezone', 'access_control'] as const),
]

/** The projects of the organizations of the user, and of those that the key is narrowed to. */
function listProjects(rows: Rows, { key, user }: Caller, request: ApiRequest): Json {
  if (key.projects.length > 0) throw denied()
  const shown = rows.projects.filter(
    ({ organization }) =>
      user.organizations.includes(organization) &&
      (key.organizations.length === 0 || key.organizations.includes(organization)),
  )
  const results = shown.map((row) => pick(row, projectFields))
  return page(request, results, 100)
}
