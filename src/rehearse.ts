import type { World } from './beginning.ts'
import { disturbed } from './faults/disturbed.ts'
import { edited } from './history/history.ts'
import { answer } from './http/answer.ts'
import { fromMultipart, isMultipart } from './http/body.ts'
import type { Answer, Call } from './http/call.ts'
import type { Route } from './http/route.ts'
import { type Draft, draftOf } from './journal/draft.ts'
import type { WorldSandbox } from './sandbox.ts'

type Params = Readonly<Record<string, string>>

/** A request that was led to its endpoint. */
interface Asked {
  readonly route: Route<World>
  readonly params: Params
  readonly call: Call
}

/**
 * Answers a request in a sandbox: disturbed by its faults, written into its journal, and followed by its second
 * actors. It never throws.
 */
export function rehearse(
  route: Route<World>,
  params: Params,
  call: Call,
  sandbox: WorldSandbox,
): Answer | Promise<Answer> {
  if (isMultipart(call, sandbox.settings)) {
    return fromMultipart(call).then((form) => play({ route, params, call: form }, sandbox))
  }
  return play({ route, params, call }, sandbox)
}

function play(asked: Asked, sandbox: WorldSandbox): Answer | Promise<Answer> {
  const { route, call } = asked
  const { journal, faults } = sandbox
  const draft = draftOf(journal.nextId(), route.endpoint.id, call, sandbox)
  const began = performance.now()
  const given = faults.isEmpty ? commit(asked, sandbox, draft) : disturb(asked, sandbox, draft)
  const keep = (known: Answer) => {
    journal.add(draft.answered(call, known, performance.now() - began))
    return known
  }
  return given instanceof Promise ? given.then(keep) : keep(given)
}

/** Carries a request out. */
function commit(asked: Asked, sandbox: WorldSandbox, draft: Draft): Answer {
  const { route, params, call } = asked
  const { actors } = sandbox
  const count = begin(sandbox, draft)
  const given = answer(route, params, call, sandbox) as Answer
  end(sandbox, draft, count)
  if (!actors.isEmpty) actors.after(asked)
  return given
}

/** Asks the faults first. */
function disturb(asked: Asked, sandbox: WorldSandbox, draft: Draft): Answer | Promise<Answer> {
  const fault = sandbox.faults.take(asked)
  if (!fault) return commit(asked, sandbox, draft)
  draft.fault = fault
  const observe = (give: () => Answer): Answer => {
    const count = begin(sandbox, draft)
    const given = give()
    end(sandbox, draft, count)
    return given
  }
  return fault.disturb(
    disturbed(asked, { sandbox, observe, commit: () => commit(asked, sandbox, draft) }),
  )
}

/** From here on reads of policies and writes are those of a request: while a fault waited, others came. */
function begin({ noted, history }: WorldSandbox, { id }: Draft): number {
  noted.take()
  history.cause = { entry: id }
  return history.count
}

/** Notes what it read and wrote. */
function end({ noted, history }: WorldSandbox, draft: Draft, count: number): void {
  history.cause = edited
  draft.note(noted, history.since(count))
}
