import type { ApiRequest, ApiResponse, Meaning } from '../request.ts'
import type { Json, Organization, Project, Rows } from '../rows.ts'
import { authenticate, authorize, type Caller } from './access.ts'
import * as annotations from './annotations.ts'
import {
  denied,
  malformed,
  notAcceptable,
  notAllowed,
  notFound,
  Refusal,
  reply,
  tooLarge,
  wrongMediaType,
} from './answers.ts'
import { formatTime } from './dates.ts'
import { optionsNeedsScopeOfMethod } from './decisions.ts'
import { page } from './pages.ts'
import * as plugins from './plugins.ts'
import { allowOf, findRoute, pathOf, type Route } from './routes.ts'

/** What the service answers, and what it stores in the rows. */
export function answer(rows: Rows, request: ApiRequest, now: number): ApiResponse {
  const response = answerWithBody(rows, request, now)
  return request.method === 'HEAD' ? { ...response, body: undefined } : response
}

function answerWithBody(rows: Rows, request: ApiRequest, now: number): ApiResponse {
  const route = findRoute(request.path)
  const allow = route && (request.method === 'OPTIONS' ? allowOf(route) : null)
  try {
    if (!route) throw notFound('Endpoint not found.')
    const [status, body] = carryOut(rows, request, route, formatTime(now))
    return reply(status, body, allow)
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return reply(error.status, error.body, error.status === 405 && route ? allowOf(route) : allow)
  }
}

/** The checks in their order, then the operation. */
function carryOut(
  rows: Rows,
  request: ApiRequest,
  route: Route,
  now: string,
): [status: number, body?: Json] {
  if (!isAcceptable(request)) throw notAcceptable()
  const caller = authenticate(rows, request)
  const { methods, title } = pathOf(route)
  const method = request.method === 'HEAD' ? 'GET' : request.method
  const [operation, scope] =
    method === 'OPTIONS' ? ['options', scopeOfOptions(route)] : (methods[method] ?? ['none', null])
  const parse = () => parseBody(request)
  // A body over the limit is refused only where an operation reads it: it is never held in memory.
  const parseEarly = () => request.body?.means.kind !== 'too large' && parse()
  const parent = authorize(rows, caller, route, scope, parseEarly)
  if (operation === 'none') throw notAllowed(method)
  if (operation === 'options') return [200, describe(title)]
  if (operation === 'deleteAnnotation') {
    throw notAllowed(method, ' Use PATCH with deleted set to true.')
  }
  if (operation === 'listProjects') return [200, listProjects(rows, caller, request)]
  const { project, organization } = parent
  return project
    ? onAnnotations(operation, rows, project, { request, route, caller, parse, now })
    : onPlugins(operation, rows, organization as Organization, { request, route, parse })
}

interface Input {
  readonly request: ApiRequest
  readonly route: Route
  readonly parse: () => Meaning
}

function onAnnotations(
  operation: string,
  rows: Rows,
  project: Project,
  { request, route: { id }, caller, parse, now }: Input & { caller: Caller; now: string },
): [status: number, body: Json] {
  switch (operation) {
    case 'listAnnotations':
      return [200, annotations.list(rows, project, request)]
    case 'createAnnotation':
      return [201, annotations.create(rows, project, caller, parse(), now)]
    case 'retrieveAnnotation':
      return [200, annotations.retrieve(rows, project, id)]
    case 'updateAnnotation':
      return [200, annotations.update(rows, project, id, parse, now)]
  }
  throw new Error(`Unknown operation ${operation}`)
}

function onPlugins(
  operation: string,
  rows: Rows,
  organization: Organization,
  { request, route: { id }, parse }: Input,
): [status: number, body?: Json] {
  switch (operation) {
    case 'listPlugins':
      return [200, plugins.list(rows, organization, request)]
    case 'createPlugin':
      return [201, plugins.create(rows, organization, parse())]
    case 'retrievePlugin':
    case 'retrievePluginSource':
      return [200, plugins.retrieve(rows, organization, id)]
    case 'updatePlugin':
    case 'updatePluginSource':
      return [200, plugins.update(rows, organization, id, parse)]
    case 'deletePlugin':
      plugins.remove(rows, organization, id)
      return [204]
    case 'checkPluginForUpdates':
      return [200, plugins.checkForUpdates(rows, organization, id)]
    case 'upgradePlugin':
      return [200, plugins.upgrade(rows, organization, id, parse)]
    case 'listPluginActivity':
      return [200, plugins.activity(rows, organization)]
    case 'listExportsUnsubscribeConfigs':
      return [200, plugins.exporting(rows, organization)]
    case 'listPluginRepository':
      return [200, plugins.catalogued(rows, organization)]
    case 'listUnusedPlugins':
      return [200, plugins.unused(rows, organization)]
  }
  throw new Error(`Unknown operation ${operation}`)
}

/** The projects of the organizations of the user, and of those that the key is narrowed to. */
function listProjects(rows: Rows, { key, user }: Caller, request: ApiRequest): Json {
  if (key.projects.length > 0) throw denied()
  const shown = rows.projects.filter(
    ({ organization }) =>
      user.organizations.includes(organization) &&
      (key.organizations.length === 0 || key.organizations.includes(organization)),
  )
  const results = shown.map((row) => ({
    id: row.id,
    uuid: row.uuid,
    organization: row.organization,
    api_token: row.api_token,
    name: row.name,
    completed_snippet_onboarding: row.completed_snippet_onboarding,
    has_completed_onboarding_for: row.has_completed_onboarding_for,
    ingested_event: row.ingested_event,
    is_demo: row.is_demo,
    timezone: row.timezone,
    access_control: row.access_control,
  }))
  return page(request, results, 100)
}

function scopeOfOptions(route: Route): string | null {
  const { methods, read } = pathOf(route)
  if (!optionsNeedsScopeOfMethod) return read
  return (methods.GET ?? Object.values(methods)[0])?.[1] ?? null
}

function describe(name: string): Json {
  const parses = ['application/json']
  return { name, description: '', renders: ['application/json'], parses }
}

/** An error of the service that a fault asks for. Like every response, it has to be acceptable. */
export function refuse(request: ApiRequest, refusal: Refusal): ApiResponse {
  const { status, body } = isAcceptable(request) ? refusal : notAcceptable()
  const route = request.method === 'OPTIONS' ? findRoute(request.path) : null
  return reply(status, request.method === 'HEAD' ? undefined : body, route && allowOf(route))
}

function isAcceptable({ accept }: ApiRequest): boolean {
  const types = (accept ?? '*/*').split(',').map((type) => type.split(';')[0]?.trim())
  return types.some((type) => ['*/*', 'application/*', 'application/json'].includes(type ?? ''))
}

function parseBody({ body }: ApiRequest): Meaning {
  if (body === null || body.text === '') return { kind: 'none' }
  if (body.means.kind === 'too large') throw tooLarge()
  if (body.contentType !== 'application/json') throw wrongMediaType(body.contentType)
  if (body.means.kind === 'malformed') throw malformed(body.means.message)
  return body.means
}
