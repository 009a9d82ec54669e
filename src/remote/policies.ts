import type { PolicyInfo } from '../policies/info.ts'
import type { PolicyId, PolicySetting } from '../policies/policies.ts'
import type { PolicyOverrides } from '../policies/settings.ts'
import type { ControlClient } from './line.ts'

/** The policies of a running simulator, as in-process. */
export interface RemotePolicies {
  list(): Promise<PolicyInfo[]>
  get<Id extends PolicyId>(id: Id): Promise<PolicySetting<Id>>
  set(overrides: PolicyOverrides): Promise<void>
}

export function remotePolicies(line: ControlClient): RemotePolicies {
  const list = (): Promise<PolicyInfo[]> => line.call('listPolicies')
  return {
    list,
    get: async <Id extends PolicyId>(id: Id) =>
      (await list()).find((policy) => policy.id === id)?.setting as PolicySetting<Id>,
    async set(body) {
      await line.call('setPolicies', { body })
    },
  }
}
