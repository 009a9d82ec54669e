import { families } from '../endpoints.ts'
import { isEnabled } from '../http/methods.ts'
import { isFor } from '../http/route.ts'
import { type Noted, NotedSettings, policiesIn } from '../policies/noted.ts'
import { policies } from '../policies/policies.ts'
import type { PolicyValue } from '../policies/policy.ts'
import type { ShownPolicy } from './entry.ts'
import type { JournalRecord } from './record.ts'

/** The policies that an answer came from, in their usual order, as they were set then. */
export function consulted(record: JournalRecord): ShownPolicy[] {
  const { noted, settings } = record
  const matching = matchingPolicies(record)
  return policiesIn(noted?.or(matching) ?? matching).map((id) => {
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
function matchingPolicies(record: JournalRecord): Noted {
  const { operation, method, target, requestBody, settings: plain } = record
  const noting = new NotedSettings(plain)
  const { settings } = noting
  const family = families.find(({ all }) => all.some(({ id }) => id === operation))
  if (family) {
    const own = family.all.find(({ id }) => id === operation)
    const asked = own?.method === '*' ? family.siblings : [own]
    for (const endpoint of asked) {
      if (endpoint && isFor(endpoint, method)) isEnabled(endpoint, settings)
    }
    if (/^[^?]*\.[a-z0-9]+\/?(\?|$)/.test(target)) read(settings['paths.format'])
    if (requestBody !== null) read(settings['limits.body'])
  }
  return noting.take()
}

/** To read a setting is what notes it. */
function read(_setting: unknown): void {}
