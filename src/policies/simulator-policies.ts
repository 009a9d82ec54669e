import {
  type PolicyId,
  type PolicySetting,
  type PolicySettings,
  policies,
  policyIds,
} from './policies.ts'
import type { PolicyValue } from './policy.ts'
import { overridePolicies, type PolicyOverrides } from './settings.ts'

interface PolicyHost {
  /** What holds from here on. */
  settings: PolicySettings
  readonly policyTracker: { readonly untracked: PolicySettings }
}

/** The policies of a running simulator: read, and set one by one. */
export class Policies {
  readonly #sandbox: PolicyHost

  constructor(sandbox: PolicyHost) {
    this.#sandbox = sandbox
  }

  /** Every policy with its setting. */
  get settings(): PolicySettings {
    return this.#sandbox.policyTracker.untracked
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

/** A policy with what it is set to. */
export interface PolicyInfo {
  readonly id: PolicyId
  /** What the document says, in its own words */
  readonly line: string
  readonly question: string
  readonly setting: string | number
  /** What it is set to in the profile `documented` */
  readonly documented: string | number
  readonly live: string | number
  /** What it can be set to; the value `integer` stands for a whole number between its bounds */
  readonly values: readonly (PolicyValue & { readonly value: string })[]
}

/** Every policy, in the order in which they are printed. */
function listPolicyInfos(settings: PolicySettings): PolicyInfo[] {
  return policyIds.map((id) => {
    const { line, question, documented, live, values } = policies[id]
    return {
      id,
      line,
      question,
      setting: settings[id],
      documented,
      live,
      values: Object.entries(values).map(([value, meaning]) => ({ value, ...meaning })),
    }
  })
}
