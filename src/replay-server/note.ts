import { families } from '../endpoints.ts'
import { toBase } from '../http/base.ts'
import type { Answer, Call } from '../http/call.ts'
import { paramsOf, toRoutes } from '../http/route.ts'
import { draftOf } from '../journal/draft.ts'
import type { WorldSandbox } from '../sandbox.ts'

/** Writes a request that a recording has answered into the journal of its simulator. */
export function note(
  call: Call,
  target: string,
  answer: Answer,
  { sandbox, began }: { readonly sandbox: WorldSandbox; readonly began: number },
): void {
  const { journal, noted } = sandbox
  if (journal.isOff) return
  const { plain: settings } = noted
  const operation = toRoutes(families, toBase('*')).find(({ path, endpoint, family }) => {
    const found = path.match(target)
    return found && paramsOf({ path, endpoint, family }, call.method, found, settings)
  })?.endpoint.id
  const draft = draftOf(journal.nextId(), operation ?? null, call, sandbox)
  journal.add(draft.answered(call, answer, performance.now() - began))
}
