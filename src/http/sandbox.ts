import type { PolicySettings } from '../policies/policies.ts'
import type { AccountDirectory } from '../world/table/row-lookup.ts'
import type { Failure } from './failures.ts'
import type { ApiRequest, RequestHead } from './messages.ts'

/** What a request is answered from: one isolated world, its policies and its clock. */
export interface EndpointContext<W> {
  readonly settings: PolicySettings
  readonly directory: AccountDirectory
  readonly world: W
  /** Counts a request of a key; gives the seconds to wait when it is one too many, else 0. */
  throttle(key: string): number
  /** The refusal that an exception stands for, where it does. */
  toFailure?(error: unknown): Failure | null
  /** Told of what should not happen: an exception that is no refusal. */
  report(error: unknown): void
}

/** Chooses the sandbox that a request is answered from, by the one its address names, or by its key. */
export type ResolveSandbox<S> = (named: string | undefined, head: RequestHead) => S | undefined

/** How sandboxes are chosen. */
export interface SandboxResolver<S> {
  readonly resolve: ResolveSandbox<S>
  readonly resolveByBody: ResolveSandboxByBody<S>
}

/**
 * Chooses once more when the body is known, which may hold the key: the one that was chosen, as a rule.
 *
 * @returns a promise only for a body that takes time to read
 */
export type ResolveSandboxByBody<S> = (
  named: string | undefined,
  call: ApiRequest,
  chosen: S,
) => S | Promise<S>

/** Where there are no keys, users or projects: beside the API of the service. */
export const emptyDirectory: AccountDirectory = {
  key: () => undefined,
  user: () => undefined,
  project: () => undefined,
  organization: () => undefined,
  currentProject: () => undefined,
  hasDashboardItem: () => false,
}
