import { overridePolicies, resolvePolicies } from '../policies/settings.ts'
import type { Sandbox } from '../sandbox.ts'
import { unexpectedValue, withFieldPrefix } from '../usage-error.ts'
import { Clock } from '../world/clock.ts'
import type { LoadedWorld } from '../world/load.ts'
import type { SandboxRequest } from './request.ts'

/** What a sandbox begins with. */
export interface SandboxTemplate {
  /** Rows that are its own from here on. */
  readonly loaded: LoadedWorld
  /** The one that it is like in all that was not asked for. */
  readonly template: Sandbox
}

/**
 * A sandbox like another one, but for what is asked for. Its keys are still those of its world.
 *
 * @throws UsageError for what it cannot begin with; its field is that of the request
 */
export function deriveSandbox(
  { loaded, template }: SandboxTemplate,
  { seed, profile, policies = {}, clock }: Omit<SandboxRequest, 'from' | 'keys' | 'ttl_s'>,
): Sandbox {
  const settings = profile === undefined ? template.noted.untracked : resolvePolicies(profile)
  return template.like({
    loaded: withSeed(loaded, seed),
    settings: withFieldPrefix('policies', () => overridePolicies(settings, policies)),
    clock:
      clock === undefined
        ? template.clock.fork()
        : withFieldPrefix('clock', () => new Clock(clock)),
  })
}

/** A world with another seed. @throws UsageError for what is none */
export function withSeed(loaded: LoadedWorld, seed: number = loaded.seed): LoadedWorld {
  if (Number.isInteger(seed)) return { ...loaded, seed }
  throw unexpectedValue('read the seed', 'a whole number', seed, undefined, 'seed')
}
