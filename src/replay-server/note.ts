import { pathItems } from '../endpoints.ts'
import { toBaseUrl } from '../http/base.ts'
import type { ApiRequest, ApiResponse } from '../http/call.ts'
import { createRoutes, matchRoute } from '../http/route.ts'
import { createPendingRecord } from '../journal/draft.ts'
import type { Sandbox } from '../sandbox.ts'

/** Writes a request that a recording has answered into the journal of its simulator. */
export function writeJournalEntry(
  call: ApiRequest,
  target: string,
  answer: ApiResponse,
  { sandbox, began }: { readonly sandbox: Sandbox; readonly began: number },
): void {
  const { journal, noted } = sandbox
  if (journal.isOff) return
  const { untracked: settings } = noted
  const operation = createRoutes(pathItems, toBaseUrl('*')).find(({ path, endpoint, pathItem }) => {
    const found = path.match(target)
    return found && matchRoute({ path, endpoint, pathItem }, call.method, found, settings)
  })?.endpoint.id
  const draft = createPendingRecord(journal.nextId(), operation ?? null, call, sandbox)
  journal.add(draft.complete(call, answer, performance.now() - began))
}
