import type { PerSetting } from '../settings/per-setting.ts'
import type { SettingValues } from '../settings/setting.ts'
import type { Clock } from '../world/clock/clock.ts'
import type { KeyRow, OrganizationRow, ProjectRow, UserRow } from '../world/rows.ts'
import type { Tables } from '../world/tables.ts'
import type { FailureName } from './failures.ts'
import type { BodySchema, ShapeOrSchema } from './fields/body-fields.ts'
import type { OperationId } from './operation-id.ts'
import type { Parameters, ParameterValues } from './parameters.ts'
import type { PathParams } from './url.ts'

/** A documented method, or PUT, which the setting `methods.put` enables. */
export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** `*` matches every method that no other endpoint of the path has. */
type EndpointMethod = Method | 'OPTIONS' | '*'

/** What an operation does with rows of its list. */
export type Verb =
  | 'list'
  | 'create'
  | 'retrieve'
  | 'replace'
  | 'update'
  | 'delete'
  | 'check'
  | 'upgrade'

/** The input of `handle`, checked and typed. */
interface EndpointInput<P, Q, B, S> {
  /** The method of the request. It can be HEAD if the endpoint has GET. */
  readonly method: string
  readonly url: string
  readonly params: ParameterValues<P>
  readonly query: ParameterValues<Q>
  readonly body: B
  readonly caller: ApiCaller
  readonly subject: S
  /** The project of the path, for endpoints under `/api/projects/:project_id`. */
  readonly project: P extends { project_id: unknown } ? ProjectRow : undefined
  /** The organization of the path, or of the project. */
  readonly organization: P extends { project_id: unknown } | { organization_id: unknown }
    ? OrganizationRow
    : undefined
}

/**
 * An operation of the API. The parameters of the type say what `handle` receives: the parameters of the path and the
 * query, the body, and the row of the path. A list of endpoints leaves them open.
 */
export interface Endpoint<P = Parameters, Q = Parameters, B = unknown, S = unknown> {
  /** The id of the operation. Null for an endpoint that answers other methods of a path. */
  readonly operation: OperationId | null
  readonly summary: string
  readonly method: EndpointMethod
  /** Whether it changes rows although its method only reads. By default it does not. */
  readonly changesRows?: boolean
  /** Without a trailing slash, with `:name` for a parameter. A request may have a trailing slash. */
  readonly path: string
  readonly scope: PerSetting<ScopeRule>
  readonly params: P & Parameters
  readonly query?: Q & Parameters
  readonly body?: PerSetting<BodySchema<B> | null>
  /** Looks up the row of the path. Runs before the body is read. */
  find?(input: Omit<EndpointInput<P, Q, undefined, undefined>, 'subject'>, context: ApiContext): S
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
  /** Returns a value, its JSON text, or rows for a page. */
  handle(input: EndpointInput<P, Q, B, S>, context: ApiContext): unknown
  /** The failures of this endpoint, in addition to those that every endpoint has: of keys, paths and methods. */
  readonly errors: PerSetting<readonly FailureName[]>
  /** False if a setting disables the endpoint. True by default. */
  readonly enabled?: PerSetting<boolean>
  /** The methods that can succeed, of the endpoint for all others. */
  readonly otherMethods?: (settings: SettingValues) => string
}

/** An endpoint of the API's document, or one that a setting adds. */
export interface Operation extends Endpoint {
  readonly operation: OperationId
  /** The list that it is about. */
  readonly list: 'annotations' | 'plugins' | 'projects'
  /** What it does with rows of the list. Absent if its response is none of them: the files of a plugin, an activity. */
  readonly verb?: Verb
}

/** Infers the type of the input of `handle` from the parameters and the body. */
export function defineEndpoint<P, Q, B, S>(
  endpoint: Endpoint<P, Q, B, S> & Pick<Operation, 'operation' | 'list' | 'verb'>,
): Operation {
  return endpoint as Operation
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
}

/** The environment of an endpoint: one isolated world, its keys and its rate limit. */
export interface EndpointContext extends ApiContext {
  /** The label of a key that is no longer there. */
  formerKey(value: string): string | undefined
  /** Whether another sandbox has a key. */
  isTakenElsewhere(value: string): boolean
  /** Whether a sandbox had a key that was deleted, or has expired. */
  wasOfSandbox(value: string): boolean
  /** Counts a request of a key. Returns the seconds to wait if it exceeds the rate limit, else 0. */
  throttle(key: string): number
  /** Called with unexpected exceptions. The client receives a 500. */
  report(error: unknown): void
}
