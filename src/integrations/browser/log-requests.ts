import { LiveMistakes } from '../../mistakes/live-mistakes.ts'
import type { WrittenEntry } from '../../simulator/journal/written-entry.ts'
import type { Simulator } from '../../simulator/simulator.ts'
import { latestRequest } from '../../utils/reports/merge-findings.ts'
import { OtherHandlers } from '../testing/other-requests.ts'

/**
 * Prints a line for each request to the console, with the reason for its response, in place of MSW's log. A path of the
 * API below another prefix has a hint.
 */
export function logRequests(simulator: Simulator): void {
  const { handlers, state } = simulator
  handlers.push(new OtherHandlers().explainUnknownPath)
  // Without a journal there are no reasons, so that MSW's log says as much.
  if (state.journal.isOff) return
  for (const handler of handlers) handler.log = async () => {}
  let isKeyExplained = false
  const print = ({ line, status, record }: WrittenEntry): void => {
    const isRefused = status === 0 || status >= 400
    console[isRefused ? 'warn' : 'info'](`[Understudy] ${line}`)
    if (status !== 401 || record.fault || isKeyExplained) return
    isKeyExplained = true
    console.info(keyCure)
  }
  simulator.followWorlds(({ journal }) => void journal.followWritten(print))
}

/** Prints each mistake of the page soon after it has happened, and the first note of each rule. */
export function logMistakes(simulator: Simulator): void {
  new LiveMistakes(simulator, (mistake) => {
    const { rule, level, message, cure } = mistake
    const isNote = level === 'note'
    const name = isNote ? `note ${rule}` : rule
    const print = isNote ? console.info : console.warn
    print(`[Understudy] ${name}: ${message} ${cure} (${latestRequest(mistake)})`)
  })
}

const keyCure =
  '[Understudy] simulator.keys.list() has the keys of the world, and simulator.keys.issue({ value: … }) accepts the key of your page.'
