import { bodyText, sentHeaders } from '../http/messages.ts'
import type { RequestStep } from '../scenarios/format/scenario.ts'
import type { SavedValues } from '../scenarios/format/values.ts'
import type { StepDifference } from '../scenarios/run/differences.ts'
import { compareResponse, parseTextBody } from '../scenarios/run/run-steps.ts'
import type { JournalRecord } from '../simulator/journal/journal.ts'
import type { State } from '../simulator/state.ts'
import { type ChangedSettings, PastRequest } from './past-request.ts'

/**
 * Answers the latest request again under other settings, in copies of the rows as they were.
 *
 * @returns what differs from the response that the step expects. Null if the rows are no longer known
 */
export function answerAgain(
  step: RequestStep,
  record: JournalRecord,
  state: State,
  saved: SavedValues,
): (changed: ChangedSettings) => readonly StepDifference[] | null {
  const past = PastRequest.open(record, state)
  return (changed) => {
    if (!past) return null
    const response = past.answer(changed)
    const text = record.method === 'HEAD' ? '' : bodyText(response.body)
    const headers = new Headers(sentHeaders(response))
    const received = { status: response.status, headers, text, broken: false }
    return compareResponse(step.expect ?? {}, received, parseTextBody(text), saved)
  }
}
