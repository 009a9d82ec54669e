import { pathItems } from '../../api/endpoints.ts'
import { isEndpointEnabled, servesMethod } from '../../http/route.ts'
import { policies } from '../../policies/policies.ts'
import type { PolicyValue } from '../../policies/policy.ts'
import {
  listReadPolicies,
  type PolicyReads,
  TrackedSettings,
} from '../../policies/tracked-settings.ts'
import type { JournalPolicy } from './entry.ts'
import type { JournalRecord } from './record.ts'

/** Lists the policies that a response depends on, with their settings at the time of the request. */
export function usedPolicies(record: JournalRecord): JournalPolicy[] {
  const { policyReads, settings } = record
  const routingReads = routingPolicies(record)
  return listReadPolicies(policyReads?.or(routingReads) ?? routingReads).map((id) => {
    const setting = settings[id]
    const values: Readonly<Record<string, PolicyValue>> = policies[id].values
    const { evidence, source } = (values[setting] ?? values.integer) as PolicyValue
    return { id, setting, evidence, source }
  })
}

/**
 * The policies that were read to find the route. They are read again here, since reads cannot be tracked at that time:
 * other requests are handled while a body arrives.
 */
function routingPolicies(record: JournalRecord): PolicyReads {
  const { operation, method, target, requestBody } = record
  const tracker = new TrackedSettings(record.settings)
  const { settings } = tracker
  const pathItem = pathItems.find(({ allEndpoints }) =>
    allEndpoints.some(({ id }) => id === operation),
  )
  if (pathItem) {
    const endpoint = pathItem.allEndpoints.find(({ id }) => id === operation)
    const candidates = endpoint?.method === '*' ? pathItem.endpoints : [endpoint]
    for (const candidate of candidates) {
      if (candidate && servesMethod(candidate, method)) isEndpointEnabled(candidate, settings)
    }
    if (/^[^?]*\.[a-z0-9]+\/?(\?|$)/.test(target)) read(settings['paths.format'])
    if (requestBody !== null) read(settings['limits.body'])
  }
  return tracker.takeReads()
}

/** Evaluating the argument is what tracks the read. */
function read(_setting: unknown): void {}
