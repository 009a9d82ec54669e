import { keyInBody, keyInHeader, keyInQuery } from '../../http/authenticate.ts'
import { isMultipart, multipartToForm, tryParseBody } from '../../http/body.ts'
import type { SandboxResolver } from '../../http/context.ts'
import type { ApiRequest } from '../../http/messages.ts'
import { queryString } from '../../http/url.ts'
import type { PolicySettings } from '../../policies/policies.ts'
import type { Sandbox } from '../sandbox.ts'
import type { SandboxRegistry } from './registry.ts'

/**
 * Resolves the sandbox of a request by the id in the URL, else by the key. A key in the query or the body counts only
 * if the policies of its sandbox accept keys there.
 */
export function createSandboxResolver(
  host: Sandbox,
  registry: SandboxRegistry<unknown>,
): SandboxResolver<Sandbox> & Required<Pick<SandboxResolver<Sandbox>, 'resolveByBody'>> {
  const findByKey = (key: string): Sandbox | undefined => registry.byKey(key)?.sandbox

  const resolveByParsedBody = (request: ApiRequest, resolved: Sandbox): Sandbox => {
    const key = keyInBody(tryParseBody(request, acceptingForms(host)))
    if (!key) return resolved
    const sandbox = findByKey(key.value)
    // The first key counts. A key in the query does not matter then.
    if (!sandbox) return host
    const isAccepted =
      acceptsKeyOutsideHeader(sandbox) &&
      keyInBody(tryParseBody(request, sandbox.policyTracker.untracked))
    return isAccepted ? sandbox : resolved
  }

  return {
    resolve(sandboxId, head) {
      registry.endExpired()
      if (sandboxId !== undefined) return registry.get(sandboxId)?.sandbox
      if (registry.byId.size === 0) return host
      const headerKey = keyInHeader(head.headers.get('authorization'))
      if (headerKey) return findByKey(headerKey.value) ?? host
      // Reading the URL builds it, so it is read last.
      const queryKey = keyInQuery(queryString(head.url))
      const sandbox = queryKey ? findByKey(queryKey.value) : undefined
      return sandbox && acceptsKeyOutsideHeader(sandbox) ? sandbox : host
    },

    resolveByBody(sandboxId, request, resolved) {
      if (request.body === null || sandboxId !== undefined || registry.byId.size === 0) {
        return resolved
      }
      if (keyInHeader(request.headers.get('authorization'))) return resolved
      if (!isMultipart(request, acceptingForms(host))) return resolveByParsedBody(request, resolved)
      return multipartToForm(request).then((form) => resolveByParsedBody(form, resolved))
    },
  }
}

/** Untracked, since the response does not depend on how its sandbox was resolved. */
function acceptsKeyOutsideHeader({ policyTracker }: Sandbox): boolean {
  return policyTracker.untracked['keys.places'] !== 'header'
}

/** Settings that parse every kind of body, since the sandbox of the body is not known yet. */
function acceptingForms({ policyTracker }: Sandbox): PolicySettings {
  return { ...policyTracker.untracked, 'bodies.form': 'accepted' }
}
