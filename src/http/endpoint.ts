import type { ByPolicy, Resolvable } from '../policies/by-policy.ts'
import type { PolicySettings } from '../policies/policies.ts'
import type { JsonText, Slice } from '../utils/json-text.ts'
import type { OrganizationRow, ProjectRow } from '../world/rows.ts'
import type { ApiCaller, ScopeRule } from './authenticate.ts'
import type { FailureName } from './failures.ts'
import type { BodySchema } from './fields/body-schema.ts'
import type { ShapeOrSchema } from './fields/shape.ts'
import type { Page } from './page.ts'
import type { Parameters, ParameterValues } from './parameters.ts'
import type { StreamedBody } from './responses.ts'

/** A method of the document, and PUT, which a policy switches on. */
export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** What an endpoint answers to: `*` stands for whatever the other endpoints of its path leave. */
type EndpointMethod = Method | 'OPTIONS' | '*'

/** What `handle` is given: everything is checked and typed. */
interface Input<P, Q, B, S> {
  /** As sent: HEAD for an endpoint of GET. */
  readonly method: string
  /** Absolute, as the caller addressed it. */
  readonly url: string
  /** A header of the request, by its lower-case name. */
  header(name: string): string | null
  readonly settings: PolicySettings
  readonly params: ParameterValues<P>
  readonly query: ParameterValues<Q>
  readonly body: B
  readonly caller: ApiCaller
  /** The row that `find` found. */
  readonly subject: S
  /** The project of the path; endpoints under `/api/projects/:project_id` have one. */
  readonly project: P extends { project_id: unknown } ? ProjectRow : undefined
  /** The organization of the path, or the one that the project belongs to. */
  readonly organization: P extends { project_id: unknown } | { organization_id: unknown }
    ? OrganizationRow
    : undefined
}

/** What `handle` may give for a response of type R: the value, its text, rows for a page, or a promise. */
type HandlerResult<R> = HandlerValue<R> | Promise<HandlerValue<R>>

type HandlerValue<R> =
  | R
  | JsonText<R>
  | StreamedBody<R>
  | (R extends Page<infer Row> ? Slice<Row> : never)

type Find<P, Q, S, W> = (input: Omit<Input<P, Q, undefined, undefined>, 'subject'>, world: W) => S
type Handle<P, Q, B, S, R, W> = (input: Input<P, Q, B, S>, world: W) => HandlerResult<R>

/** All that is said of an endpoint but its answer. */
interface EndpointBase<P, Q, B, S, W> {
  /** The operation id, in camel case. */
  readonly id: string
  readonly summary: string
  readonly method: EndpointMethod
  /** Without a trailing slash; `:name` for a parameter. Both forms are answered. */
  readonly path: string
  readonly scope: Resolvable<ScopeRule>
  readonly params: P & Parameters
  readonly query?: Q & Parameters
  readonly body?: Resolvable<BodySchema<B> | null>
  /** Looks up the row the path names, before the body is read (observed §1, order of the checks). */
  readonly find?: Find<P, Q, S, W>
  readonly status: Resolvable<number>
  /** The failures of its own, besides those of keys, paths and methods that any endpoint has. */
  readonly errors: Resolvable<readonly FailureName[]>
  /** What the answer is made of, where that is not JSON. */
  readonly mediaType?: string
  /** The most bytes of a body, in place of what the policy `limits.body` says. */
  readonly bodyLimit?: number
  /** False where a policy switches the endpoint off. */
  readonly enabled?: Resolvable<boolean>
}

interface EndpointSpec<P, Q, B, S, R, W> extends EndpointBase<P, Q, B, S, W> {
  readonly response: ShapeOrSchema<R>
  readonly handle: Resolvable<Handle<P, Q, B, S, NoInfer<R>, W>>
}

interface EndpointSpecByPolicy<P, Q, B, S, Rs, W> extends EndpointBase<P, Q, B, S, W> {
  readonly response: ByPolicy<{
    readonly [Choice in keyof Rs]: ShapeOrSchema<Rs[Choice]>
  }>
  readonly handle: ByPolicy<{
    readonly [Choice in keyof Rs]: Handle<P, Q, B, S, Rs[Choice], W>
  }>
}

/** An endpoint as its readers see it: handlers, documents and laws all walk a list of these. */
export interface Endpoint<in W>
  extends Omit<EndpointBase<Parameters, Parameters, unknown, unknown, never>, 'find'> {
  readonly response: Resolvable<ShapeOrSchema<unknown>>
  readonly handle: Resolvable<(input: never, world: W) => unknown>
  readonly find?: (input: never, world: W) => unknown
  /** A permission that a family of endpoints shares, asked after membership. */
  readonly checkPermission?: (
    input: { organization: OrganizationRow; method: string },
    world: W,
  ) => void
}

/**
 * Declares an endpoint: one operation of the service as a value. Its types follow from its parameters,
 * body and response; it changes nothing.
 *
 * @example export const listProjects: Endpoint<World> = endpoint({ id: 'listProjects', method: 'GET', … })
 */
export function defineEndpoint<P, Q, B, S, R, W>(spec: EndpointSpec<P, Q, B, S, R, W>): Endpoint<W>
export function defineEndpoint<P, Q, B, S, Rs, W>(
  spec: EndpointSpecByPolicy<P, Q, B, S, Rs, W>,
): Endpoint<W>
export function defineEndpoint(spec: unknown): Endpoint<never> {
  return spec as Endpoint<never>
}
