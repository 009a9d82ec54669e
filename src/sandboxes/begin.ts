import { adjust, settle } from '../policies/settings.ts'
import type { WorldSandbox } from '../sandbox.ts'
import { unexpected, within } from '../usage-error.ts'
import { Clock } from '../world/clock.ts'
import type { LoadedWorld } from '../world/load.ts'
import type { SandboxRequest } from './request.ts'

/** What a sandbox begins with. */
export interface Source {
  /** Rows that are its own from here on. */
  readonly loaded: LoadedWorld
  /** The one that it is like in all that was not asked for. */
  readonly like: WorldSandbox
}

/**
 * A sandbox like another one, but for what is asked for. Its keys are still those of its world.
 *
 * @throws UsageError for what it cannot begin with; its field is that of the request
 */
export function begin(
  { loaded, like }: Source,
  { seed, profile, policies = {}, clock }: Omit<SandboxRequest, 'from' | 'keys' | 'ttl_s'>,
): WorldSandbox {
  const settings = profile === undefined ? like.noted.plain : settle(profile)
  return like.like({
    loaded: seeded(loaded, seed),
    settings: within('policies', () => adjust(settings, policies)),
    clock: clock === undefined ? like.clock.fork() : within('clock', () => new Clock(clock)),
  })
}

/** A world with another seed. @throws UsageError for what is none */
export function seeded(loaded: LoadedWorld, seed: number = loaded.seed): LoadedWorld {
  if (Number.isInteger(seed)) return { ...loaded, seed }
  throw unexpected('read the seed', 'a whole number', seed, undefined, 'seed')
}
