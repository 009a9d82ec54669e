import { bodyText, sentHeaders } from '../http/messages.ts'
import type { RequestStep } from '../scenarios/format/scenario.ts'
import type { SavedValues } from '../scenarios/format/values.ts'
import type { StepDifference } from '../scenarios/run/differences.ts'
import { compareResponse, parseTextBody } from '../scenarios/run/run-steps.ts'
import type { SettingId } from '../settings/setting.ts'
import type { JournalRecord } from '../simulator/journal/journal.ts'
import type { State } from '../simulator/state.ts'
import { PastRequest } from './past-request.ts'

/** Answers the latest request again, under other settings, in copies of the rows as they were: what differs from a step. */
export function answerAgain(
  step: RequestStep,
  record: JournalRecord,
  state: State,
  saved: SavedValues,
) {
  const past = PastRequest.open(record, state)
  return (changed: {
    readonly [id: string]: string | number
  }): readonly StepDifference[] | null => {
    if (!past) return null
    const response = past.answer(changed)
    const text = record.method === 'HEAD' ? '' : bodyText(response.body)
    const received = {
      status: response.status,
      headers: new Headers(sentHeaders(response)),
      text,
      broken: false,
    }
    return compareResponse(step.expect ?? {}, received, parseTextBody(text), saved)
  }
}

export type Answer = ReturnType<typeof answerAgain>
export type { SettingId }
