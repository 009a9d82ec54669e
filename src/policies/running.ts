import { type PolicyInfo, policyInfos } from './info.ts'
import type { PolicyId, PolicySetting, PolicySettings } from './policies.ts'
import { adjust, type PolicyOverrides } from './settings.ts'

interface Sandbox {
  /** What holds from here on. */
  settings: PolicySettings
  readonly noted: { readonly plain: PolicySettings }
}

/** The policies of a running simulator: read, and set one by one. */
export class Policies {
  readonly #sandbox: Sandbox

  constructor(sandbox: Sandbox) {
    this.#sandbox = sandbox
  }

  /** Every policy with its setting. */
  get settings(): PolicySettings {
    return this.#sandbox.noted.plain
  }

  /** Every policy with its question, its setting, and what it can be set to. */
  list(): PolicyInfo[] {
    return policyInfos(this.settings)
  }

  get<Id extends PolicyId>(id: Id): PolicySetting<Id> {
    return this.settings[id] as PolicySetting<Id>
  }

  /**
   * Sets some policies; the others stay. Holds from the next request on.
   *
   * @throws UsageError for an unknown policy or value; then none is set
   * @example simulator.policies.set({ 'annotations.delete.status': '405_empty' })
   */
  set(overrides: PolicyOverrides): void {
    this.#sandbox.settings = adjust(this.settings, overrides)
  }
}
