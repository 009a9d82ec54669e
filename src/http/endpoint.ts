import {
  choose,
  type PerSetting,
  SettingReads,
  type SettingValues,
  track,
} from '../settings/setting.ts'
import type { Mutable } from '../utils/json.ts'
import { type QueryPair, splitQuery } from '../utils/query.ts'
import type { Clock } from '../world/clock/clock.ts'
import type { KeyRow, OrganizationRow, ProjectRow, UserRow } from '../world/rows.ts'
import type { Tables } from '../world/tables.ts'
import type { FailureName } from './failures.ts'
import type { BodySchema, ParsedBody, ShapeOrSchema } from './fields/body-fields.ts'
import {
  type ParameterNotes,
  type Parameters,
  type ParameterValues,
  parseBody,
  readParameters,
} from './input.ts'
import type { ApiRequest, ApiResponse } from './messages.ts'
import type { OperationId } from './operation-id.ts'
import type { RowTexts } from './written-rows.ts'

/** A documented method, or PUT, which the setting `methods.put` enables. */
export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** `*` matches every method that no other endpoint of the path has. */
type EndpointMethod = Method | 'OPTIONS' | '*'

type Verb = 'list' | 'create' | 'retrieve' | 'replace' | 'update' | 'delete' | 'check' | 'upgrade'

interface EndpointFacts {
  /** The id of the operation. Null for an endpoint that answers other methods of a path. */
  readonly operation: OperationId | null
  readonly summary: string
  readonly method: EndpointMethod
  /** Whether it changes rows although its method only reads. By default it does not. */
  readonly changesRows?: boolean
  /** Without a trailing slash, with `:name` for a parameter. A request may have a trailing slash. */
  readonly path: string
  readonly scope: PerSetting<ScopeRule>
  readonly params: Parameters
  readonly query?: Parameters
  readonly body?: PerSetting<BodySchema<unknown> | null>
  /** Whether a caller needs no membership of the organization of the path. */
  isOpenToAll?(params: PathParams, context: ApiContext): boolean
  /**
   * Checks a permission that several endpoints share, after the membership of the user.
   *
   * @throws Failure if the permission is missing
   */
  checkPermission?(
    input: { organization: OrganizationRow; method: string },
    context: ApiContext,
  ): void
  readonly status: PerSetting<number>
  readonly response: PerSetting<ShapeOrSchema<unknown>>
  /** In addition to those that every endpoint has: of keys, paths and methods. */
  readonly errors: PerSetting<readonly FailureName[]>
  /** False if a setting disables the endpoint. True by default. */
  readonly enabled?: PerSetting<boolean>
  /** The methods that can succeed, of the endpoint for all others. */
  readonly otherMethods?: (settings: SettingValues) => string
}

/** What answers the requests of a path that have a method. */
export interface Endpoint extends EndpointFacts {
  /**
   * Reads the parameters, finds the row of the path, reads the body, and carries the operation out.
   *
   * @returns a value, its JSON text, or rows for a page
   * @throws Failure for the first of them that is refused
   */
  run(call: Call): unknown
}

interface OperationFacts {
  readonly operation: OperationId
  readonly list: 'annotations' | 'plugins' | 'projects'
  /** What it does with rows of the list. Absent if its response is none of them: the files of a plugin, an activity. */
  readonly verb?: Verb
}

/** An endpoint of the API's documentation, or one that a setting adds. */
export interface Operation extends Endpoint, OperationFacts {
  readonly operation: OperationId
}

/** An operation as its file defines it: with the types of its parameters, its body and the row of its path. */
interface OperationDefinition<P, Q, B, R> extends Omit<EndpointFacts, 'operation'>, OperationFacts {
  readonly params: P & Parameters
  readonly query?: Q & Parameters
  readonly body?: PerSetting<BodySchema<B> | null>
  /** Finds the row of the path. Runs before the body is read. */
  find?(input: EndpointInput<P, NoInfer<Q>>, context: ApiContext): R
  /** Returns a value, its JSON text, or rows for a page. */
  handle(input: WholeInput<P, Q, B, R>, context: ApiContext): unknown
}

interface EndpointInput<P, Q> {
  readonly url: string
  readonly params: ParameterValues<P>
  readonly query: ParameterValues<Q>
  readonly caller: ApiCaller
  /** The project of the path, for endpoints under `/api/projects/:project_id`. */
  readonly project: P extends { project_id: unknown } ? ProjectRow : undefined
  readonly organization: P extends { project_id: unknown } | { organization_id: unknown }
    ? OrganizationRow
    : undefined
}

interface WholeInput<P, Q, B, R> extends EndpointInput<P, Q> {
  readonly row: R
  readonly body: B
}

/** Who sends the request, and the project and organization of its path: the checks found them. */
type CallerOf<P, Q> = Pick<EndpointInput<P, Q>, CheckedName>
type CheckedName = 'caller' | 'project' | 'organization'

/** Defines an operation. The types of its input end here. */
export function defineEndpoint<P, Q, B, R>(definition: OperationDefinition<P, Q, B, R>): Operation {
  const { find, handle, ...facts } = definition
  const { params, query = {} as Q & Parameters, body = null } = facts
  return {
    ...facts,
    run(call) {
      const { request, settings } = call
      const { caller, project, organization } = call as Pick<Call, CheckedName> as CallerOf<P, Q>
      // One object, without a spread, which costs a fifth of a small request.
      const input: Mutable<WholeInput<P, Q, B, R>> = {
        url: request.url,
        caller,
        project,
        organization,
        params: readParameters(params, call.params, settings),
        query: call.readQuery(query),
        row: undefined as R,
        body: undefined as B,
      }
      input.row = find?.(input, call) as R
      call.isBodyRead = true
      const schema = choose<BodySchema<B> | null>(body, settings)
      input.body = schema?.read(call) as B
      return handle(input, call)
    },
  }
}

export interface ApiCaller {
  readonly key: KeyRow
  readonly user: UserRow
}

/** The scope that an endpoint requires. `any_key` requires none, and `refused` rejects every key with scopes. */
export type ScopeRule = `${string}:${'read' | 'write'}` | 'any_key' | 'refused'

/** The state that operations read and write. A reset or a restore replaces its tables. */
export interface ApiContext {
  readonly settings: SettingValues
  readonly tables: Tables
  readonly clock: Clock
  /** Those of rows, which were written before */
  readonly texts: RowTexts
}

/** The world that answers a request, and what the checks ask of it beside its rows. */
export interface ApiWorld extends ApiContext {
  formerKey(value: string): string | undefined
  /** Whether another world has a key. */
  isTakenElsewhere(value: string): boolean
  /** Whether a sandbox had a key that was deleted, or has expired. */
  wasOfSandbox(value: string): boolean
  /** Counts a request of a key. Returns the seconds to wait if it exceeds the rate limit, else 0. */
  throttle(key: string): number
  /** Whether there is no memory for further rows. */
  readonly isFull: boolean
  /** Called with unexpected exceptions. The client receives a 500. */
  onError(error: unknown): void
}

/** The values of the parameters of a path, and as `format` a suffix: `json` in `/plugins.json`. */
export type PathParams = Readonly<Record<string, string>>

export interface PathItem {
  /** `/api/projects/:project_id/annotations/:id` */
  readonly path: string
  /** Those that are described. */
  readonly endpoints: readonly [Endpoint, ...Endpoint[]]
  readonly options: Endpoint
  /** Answers every method that the path does not have. */
  readonly anyMethod: Endpoint
  /** The same for PATCH. */
  readonly anyPatch: Endpoint
}

/** Resolves the endpoint of a path that answers a method under these settings. HEAD resolves to the endpoint of GET. */
export function resolveEndpoint(path: PathItem, method: string, settings: SettingValues): Endpoint {
  const asked = method === 'HEAD' ? 'GET' : method
  const endpoint = path.endpoints.find(
    (described) => described.method === asked && isEndpointEnabled(described, settings),
  )
  if (endpoint) return endpoint
  if (method === 'OPTIONS') return path.options
  return method === 'PATCH' ? path.anyPatch : path.anyMethod
}

export function isEndpointEnabled(endpoint: Endpoint, settings: SettingValues): boolean {
  return choose(endpoint.enabled ?? true, settings)
}

type KeyLocation = 'Authorization header' | 'body' | 'query string'

export interface SentApiKey {
  readonly value: string
  readonly location: KeyLocation
}

/**
 * A request on its way, and all that is known of it so far. It is opened when the head of the request has arrived, and
 * gets the request itself when its body is there. It reads the parameters and the body once, and notes which settings are
 * read.
 */
export class Call implements ApiContext {
  readonly path: PathItem
  readonly params: PathParams
  readonly world: ApiWorld
  /** The largest body to read, in bytes. */
  readonly bodyLimit: number
  /** Those of the world, at the moment in which they are read. */
  readonly settings: SettingValues
  reads = new SettingReads()
  request!: ApiRequest
  endpoint!: Endpoint
  /** Who sends the request. Known when its key was checked */
  caller: ApiCaller | undefined
  project: ProjectRow | undefined
  /** That of the path, or of the project. */
  organization: OrganizationRow | undefined
  sentKey: SentApiKey | null = null
  isQueryRead = false
  /** Whether the fields of the body were read, or would have been. */
  isBodyRead = false
  /** What was ignored of each parameter, if there is a query. */
  notes: ParameterNotes | undefined
  parsed: ParsedBody | undefined
  readonly #respond: (call: Call) => ApiResponse | Promise<ApiResponse>
  #query: readonly QueryPair[] | undefined

  /** @param respond answers the request when it is complete */
  constructor(
    path: PathItem,
    params: PathParams,
    world: ApiWorld,
    respond: (call: Call) => ApiResponse | Promise<ApiResponse>,
  ) {
    this.path = path
    this.params = params
    this.world = world
    this.bodyLimit = world.settings['limits.body']
    this.settings = track(this)
    this.#respond = respond
  }

  /** Answers the request. Its endpoint is that of this moment: settings can have changed since the head arrived. */
  handle(request: ApiRequest): ApiResponse | Promise<ApiResponse> {
    this.request = request
    this.endpoint = resolveEndpoint(this.path, request.method, this.settings)
    return this.#respond(this)
  }

  get tables(): Tables {
    return this.world.tables
  }

  get clock(): Clock {
    return this.world.clock
  }

  get texts(): RowTexts {
    return this.world.texts
  }

  get query(): readonly QueryPair[] {
    this.#query ??= splitQuery(this.request.query)
    return this.#query
  }

  /** @throws Failure for a body of another type, and for one that cannot be parsed */
  get body(): ParsedBody {
    this.parsed ??= parseBody(this.request, this.settings)
    return this.parsed
  }

  /** Reads the parameters of the query, each by its last value. @throws Failure for one that the service refuses */
  readQuery<Q>(parameters: Q & Parameters): ParameterValues<Q> {
    this.isQueryRead = true
    const texts: Record<string, string> = {}
    if (this.request.query !== '') {
      this.notes = new Map()
      for (const [name, value] of this.query) texts[name] = value
    }
    return readParameters(parameters, texts, this.settings, this.notes)
  }
}
