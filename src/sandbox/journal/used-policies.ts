import { pathItems } from '../../api/endpoints.ts'
import { isEndpointEnabled } from '../../http/methods.ts'
import { servesMethod } from '../../http/route.ts'
import { policies } from '../../policies/policies.ts'
import type { PolicyValue } from '../../policies/policy.ts'
import {
  listReadPolicies,
  type PolicyReads,
  TrackedSettings,
} from '../../policies/tracked-settings.ts'
import type { JournalPolicy } from './entry.ts'
import type { JournalRecord } from './record.ts'

/** The policies that an answer came from, in their usual order, as they were set then. */
export function usedPolicies(record: JournalRecord): JournalPolicy[] {
  const { policyReads, settings } = record
  const matching = routingPolicies(record)
  return listReadPolicies(policyReads?.or(matching) ?? matching).map((id) => {
    const setting = settings[id]
    const values: Readonly<Record<string, PolicyValue>> = policies[id].values
    const { evidence, source } = (values[setting] ?? values.integer) as PolicyValue
    return { id, setting, evidence, source }
  })
}

/**
 * What was read to find the route. It is read again here: while a body arrives other requests come in between, and
 * so it could not be noted when it was.
 */
function routingPolicies(record: JournalRecord): PolicyReads {
  const { operation, method, target, requestBody, settings: plain } = record
  const noting = new TrackedSettings(plain)
  const { settings } = noting
  const family = pathItems.find(({ allEndpoints }) =>
    allEndpoints.some(({ id }) => id === operation),
  )
  if (family) {
    const own = family.allEndpoints.find(({ id }) => id === operation)
    const asked = own?.method === '*' ? family.endpoints : [own]
    for (const endpoint of asked) {
      if (endpoint && servesMethod(endpoint, method)) isEndpointEnabled(endpoint, settings)
    }
    if (/^[^?]*\.[a-z0-9]+\/?(\?|$)/.test(target)) read(settings['paths.format'])
    if (requestBody !== null) read(settings['limits.body'])
  }
  return noting.takeReads()
}

/** To read a setting is what notes it. */
function read(_setting: unknown): void {}
