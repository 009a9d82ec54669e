import { listPolicyInfos, type PolicyInfo } from './info.ts'
import type { PolicyId, PolicySetting, PolicySettings } from './policies.ts'
import { overridePolicies, type PolicyOverrides } from './settings.ts'

interface PolicyHost {
  /** What holds from here on. */
  settings: PolicySettings
  readonly noted: { readonly untracked: PolicySettings }
}

/** The policies of a running simulator: read, and set one by one. */
export class Policies {
  readonly #sandbox: PolicyHost

  constructor(sandbox: PolicyHost) {
    this.#sandbox = sandbox
  }

  /** Every policy with its setting. */
  get settings(): PolicySettings {
    return this.#sandbox.noted.untracked
  }

  /** Every policy with its question, its setting, and what it can be set to. */
  list(): PolicyInfo[] {
    return listPolicyInfos(this.settings)
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
    this.#sandbox.settings = overridePolicies(this.settings, overrides)
  }
}
