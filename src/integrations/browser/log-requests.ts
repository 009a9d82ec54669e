import type { RequestSummary } from '../../sandbox/journal/entry-writer.ts'
import { JournalReader } from '../../sandbox/journal/journal-reader.ts'
import type { Router } from '../../sandbox/router.ts'
import type { Sandbox } from '../../sandbox/sandbox.ts'
import { explainUnknownPath } from '../testing/other-requests.ts'

/**
 * Prints a line for each request to the console, with the reason for its response, in place of MSW's log. A path of the
 * API below another prefix has a hint.
 *
 * @returns a function that prints the requests to another sandbox, too
 */
export function logRequests(router: Router): (sandbox: Sandbox) => void {
  router.handlers.push(explainUnknownPath)
  const follow = (sandbox: Sandbox): void =>
    void new JournalReader(sandbox, '').followSummaries(print)
  // Without a journal there are no reasons, so that MSW's log says as much.
  if (router.sandbox.journal.isOff) return follow
  for (const handler of router.handlers) handler.log = async () => {}
  follow(router.sandbox)
  return follow
}

function print({ method, target, status, reason, ignored }: RequestSummary): void {
  const isRefused = status === 0 || status >= 400
  const parts = [reason ?? status, ...ignored.map((input) => `ignored: ${input}`)]
  console[isRefused ? 'warn' : 'info'](`[Understudy] ${method} ${target} ${parts.join('; ')}`)
}
