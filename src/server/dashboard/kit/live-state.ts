import type { PolicyInfo } from '../../../policies/policy-access.ts'
import type { Profile } from '../../../policies/settings.ts'
import type { Remote } from '../../../remote/connect.ts'
import type { FaultInfo } from '../../../sandbox/faults/rule.ts'
import type { ClockReading } from '../../../world/clock/clock.ts'
import { Store } from './hooks.ts'

/** The clock, the fault rules and the policies of a world. All views share them, so that badges and lists agree. */
export class LiveState extends Store {
  /** Undefined until it is loaded. */
  clock: ClockReading | undefined
  faults: readonly FaultInfo[] = []
  policies: readonly PolicyInfo[] = []
  error: Error | null = null
  readonly #remote: Remote
  #latest = 0

  constructor(remote: Remote) {
    super()
    this.#remote = remote
  }

  /** Loads everything again. Never throws. */
  readonly refresh = async (): Promise<void> => {
    const { clock, faults, policies } = this.#remote
    this.#latest += 1
    const current = this.#latest
    const change = await Promise.all([clock.read(), faults.list(), policies.list()]).then(
      ([clock, faults, policies]) => ({ clock, faults, policies, error: null }),
      (error: Error) => ({ error }),
    )
    if (current !== this.#latest) return
    Object.assign(this, change)
    this.notify()
  }

  /** The profile that fewer policies differ from. */
  get profile(): Profile {
    const [documented, live] = (['documented', 'live'] as const).map(
      (profile) => this.policies.filter((policy) => policy.setting !== policy[profile]).length,
    ) as [number, number]
    return live < documented ? 'live' : 'documented'
  }

  /** The policies that differ from the profile. */
  get changedPolicies(): PolicyInfo[] {
    return this.policies.filter((policy) => policy.setting !== policy[this.profile])
  }
}
