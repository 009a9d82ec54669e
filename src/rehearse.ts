import type { World } from './beginning.ts'
import { disturbed } from './faults/disturbed.ts'
import { edited } from './history/history.ts'
import { answer } from './http/answer.ts'
import { fromMultipart, isMultipart } from './http/body.ts'
import type { Answer, Call } from './http/call.ts'
import type { Route } from './http/route.ts'
import type { JournalRecord } from './journal/record.ts'
import type { WorldSandbox } from './sandbox.ts'

type Params = Readonly<Record<string, string>>

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
    return fromMultipart(call).then((form) => play(route, params, form, sandbox))
  }
  return play(route, params, call, sandbox)
}

function play(
  route: Route<World>,
  params: Params,
  call: Call,
  sandbox: WorldSandbox,
): Answer | Promise<Answer> {
  const { journal, history, faults, actors } = sandbox
  const at = sandbox.clock.now()
  const began = performance.now()
  const operation = route.endpoint.id
  const id = journal.nextId()
  const request = { route, params, call }
  const fault = faults.isEmpty ? null : faults.take(request)
  let seen: Seen | null = null
  const observe = (give: () => Answer): Answer => {
    // A fault may have waited: other requests, and other policies, came in between.
    const { noted } = sandbox
    const count = history.count
    history.cause = { entry: id }
    noted.take()
    const given = give()
    history.cause = edited
    seen = both(seen, {
      noted: noted.take(),
      settings: noted.plain,
      changes: history.since(count),
    })
    return given
  }
  const commit = (): Answer => {
    const given = observe(() => answer(route, params, call, sandbox) as Answer)
    if (!actors.isEmpty) actors.after({ route, params, call })
    return given
  }
  const record = (given: Answer): Answer => {
    if (journal.isOff) return given
    const { noted, settings, changes } = seen ?? nothing(sandbox)
    journal.add({
      id,
      at,
      ms: performance.now() - began,
      operation,
      method: call.method,
      target: call.target,
      requestHeaders: call.headers,
      requestBody: call.body,
      answer: given,
      noted,
      settings,
      fault,
      changes,
    })
    return given
  }
  const given = fault ? fault.disturb(disturbed(request, { sandbox, commit, observe })) : commit()
  return given instanceof Promise ? given.then(record) : record(given)
}

/** What answering a request came to. */
type Seen = Pick<JournalRecord, 'noted' | 'settings' | 'changes'>

/** Of a request that a fault kept from being carried out. */
function nothing({ noted }: WorldSandbox): Seen {
  return { noted: [0, 0, 0], settings: noted.plain, changes: [] }
}

/** What came of a request that was carried out, and then refused. */
function both(first: Seen | null, second: Seen): Seen {
  if (first === null) return second
  const [a, b, c] = first.noted
  const [d, e, f] = second.noted
  return { ...first, noted: [a | d, b | e, c | f] }
}
