import { bodyValue, fromMultipart, isMultipart } from '../http/body.ts'
import { type Call, queryOf } from '../http/call.ts'
import type { Choosing } from '../http/sandbox.ts'
import type { PolicySettings } from '../policies/policies.ts'
import type { WorldSandbox } from '../sandbox.ts'
import { keyInBody, keyInHeader, keyInQuery } from '../secrets/sent-key.ts'
import type { Entries } from './entries.ts'

/**
 * Chooses sandboxes by what an address names, else by the key of a request. A place counts where the sandbox of its
 * key looks for keys there.
 */
export function choosing(host: WorldSandbox, entries: Entries): Choosing<WorldSandbox> {
  const ofKey = (key: string): WorldSandbox | undefined => entries.ofKey(key)?.sandbox

  const settleRead = (call: Call, chosen: WorldSandbox): WorldSandbox => {
    const key = keyInBody(bodyValue(call, anyBody(host)))
    if (!key) return chosen
    const led = ofKey(key.value)
    // The first key that is found is the one that counts: what the query says does not matter then.
    if (!led) return host
    return looksElsewhere(led) && keyInBody(bodyValue(call, led.noted.plain)) ? led : chosen
  }

  return {
    choose(named, head) {
      entries.endExpired()
      if (named !== undefined) return entries.get(named)?.sandbox
      if (entries.byId.size === 0) return host
      const inHeader = keyInHeader(head.headers.get('authorization'))
      if (inHeader) return ofKey(inHeader.value) ?? host
      // Its address is put together when it is asked for, and few need it.
      const inQuery = keyInQuery(queryOf(head.url))
      const led = inQuery ? ofKey(inQuery.value) : undefined
      return led && looksElsewhere(led) ? led : host
    },

    settle(named, call, chosen) {
      if (call.body === null || named !== undefined || entries.byId.size === 0) return chosen
      if (keyInHeader(call.headers.get('authorization'))) return chosen
      if (!isMultipart(call, anyBody(host))) return settleRead(call, chosen)
      return fromMultipart(call).then((form) => settleRead(form, chosen))
    },
  }
}

/** Whether a sandbox looks for keys in bodies and queries. What an answer comes from is not asked by that. */
function looksElsewhere({ noted }: WorldSandbox): boolean {
  return noted.plain['keys.places'] !== 'header'
}

/** Policies by which any body is read: whose body it is is not known yet. */
function anyBody({ noted }: WorldSandbox): PolicySettings {
  return { ...noted.plain, 'bodies.form': 'accepted' }
}
