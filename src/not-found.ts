import { endpoints } from './endpoints.ts'
import { Failure } from './errors.ts'
import { type Base, pathOfApi, splitSandbox } from './http/base.ts'
import { type Answer, type Head, targetOf } from './http/call.ts'
import { toAnswer } from './http/failure.ts'
import { nearestRoutes } from './http/nearest.ts'
import { endpointNotFound } from './http/not-found.ts'
import { draftOf } from './journal/draft.ts'
import { settle } from './policies/settings.ts'
import type { Choose } from './service.ts'

/** The answer to an address that no endpoint has, or whose sandbox is not there; kept in the journal. */
export function answerUnknown(method: string, head: Head, base: Base, choose: Choose): Answer {
  const [target = '/'] = targetOf(head.url).slice(base.prefix.length).split('?')
  const { named, path } = splitSandbox(target)
  const sandbox = choose(named, head)
  if (!sandbox) {
    const detail = `Sandbox ${named} not found: it was never created, or has ended.`
    return toAnswer(new Failure('not_found', detail), settle())
  }
  const { journal, noted } = sandbox
  const isOwn = /^\/__admin(\/|$)/.test(path)
  noted.take()
  const given = endpointNotFound(
    nearestRoutes(method, pathOfApi(path), endpoints, noted.plain),
    sandbox.settings,
  )
  if (isOwn || journal.isOff) return given
  // Nobody reads its body: what nothing answers may have one of any size.
  const call = { method, target: targetOf(head.url), headers: head.headers }
  const draft = draftOf(journal.nextId(), null, call, sandbox)
  draft.note(noted, [])
  journal.add(draft.answered({ body: null }, given, 0))
  return given
}
