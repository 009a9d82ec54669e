import { keyInBody, keyInHeader, keyInQuery } from '../../http/authenticate.ts'
import { isMultipart, multipartToForm, tryParseBody } from '../../http/body.ts'
import { type ApiRequest, queryString } from '../../http/messages.ts'
import type { SandboxResolver } from '../../http/sandbox.ts'
import type { PolicySettings } from '../../policies/policies.ts'
import type { Sandbox } from '../sandbox.ts'
import type { SandboxRegistry } from './registry.ts'

/**
 * Chooses sandboxes by what an address names, else by the key of a request. A place counts where the sandbox of its
 * key looks for keys there.
 */
export function sandboxResolver(host: Sandbox, entries: SandboxRegistry): SandboxResolver<Sandbox> {
  const ofKey = (key: string): Sandbox | undefined => entries.byKey(key)?.sandbox

  const settleRead = (call: ApiRequest, chosen: Sandbox): Sandbox => {
    const key = keyInBody(tryParseBody(call, formAccepted(host)))
    if (!key) return chosen
    const led = ofKey(key.value)
    // The first key that is found is the one that counts: what the query says does not matter then.
    if (!led) return host
    return acceptsKeyOutsideHeader(led) && keyInBody(tryParseBody(call, led.noted.untracked))
      ? led
      : chosen
  }

  return {
    resolve(named, head) {
      entries.endExpired()
      if (named !== undefined) return entries.get(named)?.sandbox
      if (entries.byId.size === 0) return host
      const inHeader = keyInHeader(head.headers.get('authorization'))
      if (inHeader) return ofKey(inHeader.value) ?? host
      // Its address is put together when it is asked for, and few need it.
      const inQuery = keyInQuery(queryString(head.url))
      const led = inQuery ? ofKey(inQuery.value) : undefined
      return led && acceptsKeyOutsideHeader(led) ? led : host
    },

    resolveByBody(named, call, chosen) {
      if (call.body === null || named !== undefined || entries.byId.size === 0) return chosen
      if (keyInHeader(call.headers.get('authorization'))) return chosen
      if (!isMultipart(call, formAccepted(host))) return settleRead(call, chosen)
      return multipartToForm(call).then((form) => settleRead(form, chosen))
    },
  }
}

/** Whether a sandbox looks for keys in bodies and queries. What an answer comes from is not asked by that. */
function acceptsKeyOutsideHeader({ noted }: Sandbox): boolean {
  return noted.untracked['keys.places'] !== 'header'
}

/** Policies by which any body is read: whose body it is is not known yet. */
function formAccepted({ noted }: Sandbox): PolicySettings {
  return { ...noted.untracked, 'bodies.form': 'accepted' }
}
