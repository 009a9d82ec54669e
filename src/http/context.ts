import type { PolicySettings } from '../policies/policies.ts'
import type { AccountDirectory } from '../world/table/row-lookup.ts'
import type { Failure } from './failures.ts'
import type { ApiRequest, RequestHead } from './messages.ts'

/** The environment of an endpoint: one isolated world, its policies and its rate limit. */
export interface EndpointContext<W> {
  readonly settings: PolicySettings
  readonly directory: AccountDirectory
  readonly world: W
  /** Counts a request of a key. Returns the seconds to wait if it exceeds the rate limit, else 0. */
  throttle(key: string): number
  /** Converts an exception to the failure that the client receives, or returns null for an unexpected one. */
  toFailure?(error: unknown): Failure | null
  /** Called with unexpected exceptions. The client receives a 500. */
  report(error: unknown): void
}

/** Resolves the sandbox of a request. */
export interface SandboxResolver<C> {
  /**
   * Resolves by the sandbox id in the URL, else by the key.
   *
   * @returns undefined if the URL names an unknown sandbox
   */
  resolve(sandboxId: string | undefined, head: RequestHead): C | undefined
  /**
   * Resolves once more after the body was read, since a body can hold the key.
   *
   * @param resolved the result of `resolve`
   * @returns a promise only for a body that is parsed asynchronously
   */
  resolveByBody?(sandboxId: string | undefined, request: ApiRequest, resolved: C): C | Promise<C>
}

/** A directory without keys, users and projects, for endpoints that are not part of the simulated API. */
export const emptyDirectory: AccountDirectory = {
  key: () => undefined,
  user: () => undefined,
  project: () => undefined,
  organization: () => undefined,
  currentProject: () => undefined,
  hasDashboardItem: () => false,
}
