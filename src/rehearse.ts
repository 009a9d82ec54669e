import type { World } from './beginning.ts'
import { edited } from './history/history.ts'
import { answer } from './http/answer.ts'
import { fromMultipart, isMultipart } from './http/body.ts'
import type { Answer, Call } from './http/call.ts'
import type { Route } from './http/route.ts'
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
  const { journal, history, faults, actors, noted } = sandbox
  const began = performance.now()
  const operation = route.endpoint.id
  const id = journal.nextId()
  const changes = history.count
  const fault = faults.isEmpty ? null : faults.take(operation, call)
  const commit = (): Answer => {
    history.cause = { entry: id }
    noted.take()
    const given = answer(route, params, call, sandbox) as Answer
    history.cause = edited
    if (!actors.isEmpty) actors.after(operation)
    return given
  }
  const record = (given: Answer): Answer => {
    journal.add({
      id,
      at: sandbox.clock.now(),
      ms: performance.now() - began,
      operation,
      method: call.method,
      target: call.target,
      requestHeaders: call.headers,
      requestBody: call.body,
      answer: given,
      noted: noted.take(),
      fault,
      changes: history.since(changes),
    })
    return given
  }
  const given = fault ? fault.disturb(commit) : commit()
  return given instanceof Promise ? given.then(record) : record(given)
}
