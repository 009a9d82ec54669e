import { endpoints } from '../api/endpoints.ts'
import { apiPath, type BaseUrl, splitSandboxPath } from '../http/base-url.ts'
import { Failure, failureResponse } from '../http/failures.ts'
import { type ApiResponse, type RequestHead, requestTarget } from '../http/messages.ts'
import { endpointNotFound, suggestEndpoints } from '../http/unknown-path.ts'
import { resolvePolicies } from '../policies/settings.ts'
import { createPendingRecord } from './journal/record.ts'
import type { ResolveSandbox } from './router.ts'

/** The answer to an address that no endpoint has, or whose sandbox is not there; kept in the journal. */
export function respondNotFound(
  method: string,
  head: RequestHead,
  base: BaseUrl,
  choose: ResolveSandbox,
): ApiResponse {
  const [target = '/'] = requestTarget(head.url).slice(base.prefix.length).split('?')
  const { named, path } = splitSandboxPath(target)
  const sandbox = choose(named, head)
  if (!sandbox) {
    const detail = `Sandbox ${named} not found: it was never created, or has ended.`
    return failureResponse(new Failure('not_found', detail), resolvePolicies())
  }
  const { journal, noted } = sandbox
  const isOwn = /^\/__admin(\/|$)/.test(path)
  noted.takeReads()
  const given = endpointNotFound(
    suggestEndpoints(method, apiPath(path), endpoints, noted.untracked),
    sandbox.settings,
  )
  if (isOwn || journal.isOff) return given
  // Nobody reads its body: what nothing answers may have one of any size.
  const call = { method, target: requestTarget(head.url), headers: head.headers }
  const draft = createPendingRecord(journal.nextId(), null, call, sandbox)
  draft.attach(noted, [])
  journal.add(draft.complete({ body: null }, given, 0))
  return given
}
