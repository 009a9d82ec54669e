import type { RequestSummary } from '../../simulator/journal/entry-writer.ts'
import type { Simulator } from '../../simulator.ts'
import { explainUnknownPath } from '../testing/other-requests.ts'

/**
 * Prints a line for each request to the console, with the reason for its response, in place of MSW's log. A path of the
 * API below another prefix has a hint.
 */
export function logRequests({ handlers, journal, sandboxes, state }: Simulator): void {
  handlers.push(explainUnknownPath)
  // Without a journal there are no reasons, so that MSW's log says as much.
  if (state.journal.isOff) return
  for (const handler of handlers) handler.log = async () => {}
  let isKeyExplained = false
  const print = (summary: RequestSummary): void => {
    printRequest(summary)
    const isUnknownKey = summary.status === 401 && summary.fault === null
    if (!isUnknownKey || isKeyExplained) return
    isKeyExplained = true
    console.info(keyCure)
  }
  journal.followSummaries(print)
  sandboxes.follow((_, sandbox) => void sandbox.journal.followSummaries(print))
}

const keyCure =
  '[Understudy] simulator.keys.list() has the keys of the world, and simulator.keys.issue({ value: … }) accepts the key of your page.'

function printRequest({ method, target, status, reason, ignored }: RequestSummary): void {
  const isRefused = status === 0 || status >= 400
  const parts = [reason ?? status, ...ignored.map((input) => `ignored: ${input}`)]
  console[isRefused ? 'warn' : 'info'](`[Understudy] ${method} ${target} ${parts.join('; ')}`)
}
