import { matchRequestUrl } from 'msw'
import * as z from 'zod'
import type { World } from '../api/endpoints.ts'
import { projectShape } from '../api/projects/projects.ts'
import { authenticate } from '../http/authorize.ts'
import type { ApiCaller, Endpoint } from '../http/endpoint.ts'
import { failureResponse } from '../http/failure-response.ts'
import { Failure } from '../http/failures.ts'
import { anyJson, pickFields } from '../http/fields/body-fields.ts'
import { type ApiRequest, type ApiResponse, jsonResponse } from '../http/messages.ts'
import {
  type ApiHandler,
  EndpointHandler,
  type EndpointRunner,
  type PathItem,
} from '../http/route.ts'
import { type BaseUrl, baseUrlPattern, type PathMatcher, toBaseUrl } from '../http/url.ts'
import { issuesError } from '../utils/issues.ts'
import { toJsonText } from '../utils/json.ts'
import { describeIssues, suggestFields } from '../utils/schema-issues.ts'
import { bodilessStatuses, headersSchema } from './faults/effects.ts'
import { JournalRecord } from './journal/journal.ts'
import type { NeighbourHost, Sandbox } from './sandbox.ts'
import type { Neighbours, NeighboursJson } from './simulator-options.ts'

const responseSchema = z.strictObject({
  status: z.int().min(200).max(599).optional().describe('200 by default'),
  headers: headersSchema.optional(),
  body: z.json().optional().describe('A text is sent as it is, any other value as JSON'),
})

const maxParameters = 50
const maxWildcards = 3

/** The schema of a file of neighbours. Its JSON Schema is `fixtures/neighbours.schema.json`. */
export const neighboursSchema = z.strictObject({
  $schema: z.string().optional(),
  responses: z
    .record(
      z
        .string()
        .regex(
          /^(?:[A-Z]+ )?\/\S*$/,
          'expected a path that begins with /, such as /api/flags/ or GET /api/flags/',
        )
        .refine(isShortPattern, {
          error: `expected at most ${maxParameters} parameters and ${maxWildcards} wildcards`,
          abort: true,
        })
        .refine(isPattern, 'expected a path that MSW can parse'),
      responseSchema,
    )
    .describe(
      'By method and path, such as "GET /api/flags/:id/", or by path. Patterns are those of MSW.',
    ),
})

/** MSW parses the pattern for each request, and the time to match grows with the power of the wildcards. */
function isShortPattern(route: string): boolean {
  const wildcards = route.match(/[*+]+/g)?.length ?? 0
  return route.split(':').length <= maxParameters + 1 && wildcards <= maxWildcards
}

/** MSW parses a pattern when it matches the first request. */
function isPattern(route: string): boolean {
  try {
    return createMswMatcher(route.replace(/^\w+ /, ''), toBaseUrl('*')).match('/') !== undefined
  } catch {
    return false
  }
}

/** Checks the content of a file of neighbours. @throws UsageError with every issue */
export function parseNeighbours(value: unknown): NeighboursJson {
  const { error, data } = neighboursSchema.safeParse(value, suggestFields)
  if (data) return data as NeighboursJson
  throw issuesError('Failed to read the neighbours.', describeIssues(error, value, 'neighbours'))
}

type Respond = (request: ApiRequest, sandbox: Sandbox) => ApiResponse

/** Returns a function that creates the handlers of neighbours for a router. @throws UsageError with every issue */
export function openNeighbours(
  neighbours: Neighbours | readonly Neighbours[],
): (host: NeighbourHost) => readonly ApiHandler[] {
  const routes = [neighbours].flat().flatMap((each) => {
    if (each === 'default') return defaultNeighbours
    return Object.entries(parseNeighbours(each).responses).map(
      ([route, response]): [string, Respond] => [route, () => fixedResponse(response)],
    )
  })
  return (host) => routes.map(([route, respond]) => createHandler(route, respond, host))
}

function fixedResponse({
  status = 200,
  headers,
  body,
}: NeighboursJson['responses'][string]): ApiResponse {
  const own = Object.fromEntries(new Headers(headers))
  if (body === undefined || bodilessStatuses.includes(status)) {
    return { status, headers: own, body: null }
  }
  if (typeof body !== 'string') return jsonResponse(status, toJsonText(body), own)
  return { status, headers: { 'content-type': 'text/plain; charset=utf-8', ...own }, body }
}

/** What clients ask about their key: its user, and the organization of the user's current project. */
const defaultNeighbours: readonly [string, Respond][] = [
  ['GET /api/users/@me/', forCaller(currentUser)],
  ['GET /api/organizations/@current/', forCaller(currentOrganization)],
]

function forCaller(read: (sandbox: Sandbox, caller: ApiCaller) => object): Respond {
  return (request, sandbox) => {
    const settings = sandbox.policyTracker.untracked
    try {
      const caller = authenticate(request, settings, sandbox.directory, () => undefined)
      return jsonResponse(200, toJsonText(read(sandbox, caller)))
    } catch (error) {
      if (error instanceof Failure) return failureResponse(error, settings)
      throw error
    }
  }
}

function currentUser(sandbox: Sandbox, caller: ApiCaller): object {
  const { organizations, current_project: _, is_active, ...user } = caller.user
  const names = organizations.map((id) => {
    const { name } = sandbox.directory.organization(id) ?? { name: '' }
    return { id, name }
  })
  const team = sandbox.directory.currentProject(caller.user)
  return {
    ...user,
    is_active,
    organization: names.find(({ id }) => id === team?.organization) ?? names[0] ?? null,
    organizations: names,
    team: team ? pickFields(projectShape, team) : null,
  }
}

function currentOrganization({ directory, tables }: Sandbox, { user }: ApiCaller): object {
  const id = directory.currentProject(user)?.organization ?? user.organizations[0]
  const organization = id === undefined ? undefined : directory.organization(id)
  if (!organization) throw new Failure('not_found', 'Organization not found.')
  const projects = [...tables.projects.values()].filter((row) => row.organization === id)
  return { ...organization, projects: projects.map((row) => pickFields(projectShape, row)) }
}

/** Creates the handler of one path beside the API. The journal has its requests, without an operation. */
function createHandler(route: string, respond: Respond, host: NeighbourHost): ApiHandler {
  const [, method = '*', path = '/'] = /^(?:(\w+) )?(.*)$/.exec(route) ?? []
  const endpoint: Endpoint<World> = {
    id: route,
    summary: 'Return a response from outside the API.',
    method: method as '*',
    path,
    scope: 'any_key',
    params: {},
    status: 200,
    response: anyJson,
    errors: [],
    handle: () => undefined,
  }
  const pattern = { text: path, names: [], source: '' }
  const pathItem: PathItem<World> = { pattern, endpoints: [endpoint], allEndpoints: [endpoint] }
  const runner: EndpointRunner<World, Sandbox> = {
    get resolver() {
      return host.resolver
    },
    run(_route, request, sandbox) {
      const { journal } = sandbox
      const start = performance.now()
      const record = new JournalRecord(journal.nextId(), null, request, sandbox)
      const response = respond(request, sandbox)
      sandbox.record(record.complete(request, response, performance.now() - start))
      return host.explain?.(response, record, sandbox) ?? response
    },
  }
  return new EndpointHandler(pathItem, host.base, runner, createMswMatcher(path, host.base))
}

/** Creates a matcher for a path as MSW writes it, below a base URL or a sandbox. A slash at the end is optional. */
function createMswMatcher(path: string, base: BaseUrl): PathMatcher {
  const start = new RegExp(`^${baseUrlPattern(base)}(/[^?#]*)`)
  const [origin, pattern] = ['http://localhost', path.replace(/(?<=.)\/$/, '')]
  return {
    pattern,
    match(url) {
      const [, sandboxId, target] = start.exec(url) ?? []
      if (target === undefined) return null
      const { matches } = matchRequestUrl(new URL(origin + target), origin + pattern)
      return matches ? { params: {}, suffix: undefined, sandboxId } : null
    },
  }
}
