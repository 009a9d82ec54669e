import {
  type Policy,
  type PolicyId,
  type PolicySetting,
  type PolicySettings,
  type PolicyValue,
  policies,
  policyIds,
} from './policies.ts'
import { overridePolicies, type PolicyOverrides } from './settings.ts'

interface PolicyHost {
  settings: PolicySettings
  readonly policyTracker: { readonly untracked: PolicySettings }
}

/** The policies of a running simulator. */
export class Policies {
  readonly #sandbox: PolicyHost

  constructor(sandbox: PolicyHost) {
    this.#sandbox = sandbox
  }

  /** The settings of all policies, as a copy. */
  get settings(): PolicySettings {
    return { ...this.#current }
  }

  get #current(): PolicySettings {
    return this.#sandbox.policyTracker.untracked
  }

  /** Lists all policies with their settings and allowed values. */
  list(): PolicyInfo[] {
    return policyIds.map((id) => {
      const { documentation, question, documented, live, values } = policies[id]
      return {
        id,
        documentation,
        question,
        setting: this.#current[id],
        documented,
        live,
        values: Object.entries(values).map(([value, meaning]) => ({ value, ...meaning })),
      }
    })
  }

  get<Id extends PolicyId>(id: Id): PolicySetting<Id> {
    return this.#current[id] as PolicySetting<Id>
  }

  /**
   * Sets some policies, from the next request on.
   *
   * @throws UsageError for an unknown policy or value; then no policy is set
   * @example simulator.policies.set({ 'annotations.delete.status': '405_empty' })
   */
  set(overrides: PolicyOverrides): void {
    this.#sandbox.settings = overridePolicies(this.#current, overrides)
  }
}

/** A policy and its setting. */
export interface PolicyInfo
  extends Pick<Policy, 'documentation' | 'question' | 'documented' | 'live'> {
  readonly id: PolicyId
  readonly setting: string | number
  /** The allowed values. `integer` allows every whole number within its bounds. */
  readonly values: readonly (PolicyValue & { readonly value: string })[]
}
