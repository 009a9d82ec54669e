import { checks, failureFormats } from '../http/failures.ts'
import { isOmitted } from '../http/messages.ts'
import type { SettingId } from '../settings/setting.ts'
import { isReplacedByFault } from '../simulator/journal/explain-response.ts'
import type { JournalRecord } from '../simulator/journal/journal.ts'
import { type DecisionSource, type OtherAnswer, otherAnswers, PastRequest } from './past-request.ts'

/** These say only which status a refusal has. They are named if no setting decides that the request is refused. */
const statusSettings: readonly SettingId[] = ['keys.missing.status', 'keys.insufficient.status']

/** The response to a request under another value of a setting. */
type Trial = OtherAnswer['answer'] & { readonly id: SettingId }

/**
 * Finds the settings that decided a refusal: with another value of any one of them, the status would have been another. If
 * some values would have accepted the request, only their settings are returned. A value with which an earlier check would
 * have refused the request does not count. The request is answered again under each other value of each setting that was
 * read, in copies of the rows as they were then.
 *
 * @returns an empty list if no setting decided, if a fault did, or if these rows are no longer known
 */
export function findDecisions(record: JournalRecord, source: DecisionSource): readonly SettingId[] {
  const { response, requestBody, failure } = record
  if (response.status < 400 || isReplacedByFault(record)) return []
  if (response.status === 413 && isOmitted(requestBody)) return ['limits.body']
  const trials = trySettings(record, source)
  const differing = trials.filter(({ status }) => status !== response.status)
  const accepting = differing.filter(({ status }) => status < 400).sort(bySpeciality)
  const reasons = differing.filter(({ id }) => !statusSettings.includes(id))
  const others = trials.filter((trial) => failure && trial.failure?.name !== failure.name)
  const groups = [accepting, reasons, differing, others]
  return idsOf(groups.find(({ length }) => length > 0) ?? [])
}

function idsOf(trials: readonly Trial[]): readonly SettingId[] {
  return [...new Set(trials.map(({ id }) => id))]
}

/** Answers a request under each other value of each setting that it read. */
function trySettings(record: JournalRecord, source: DecisionSource): readonly Trial[] {
  const { response, failure } = record
  const own = PastRequest.open(record, source)?.answer()
  if (own?.status !== response.status) return []
  const trials = [...otherAnswers(record, source)].map(({ id, answer }) => ({ ...answer, id }))
  return trials.filter((trial) => !isFoundEarlier(trial, { failure, route: own.route }))
}

/** A setting that is not read under another value of a second one is more special than that: it comes first. */
function bySpeciality(a: Trial, b: Trial): number {
  return Number(b.reads.includes(a.id)) - Number(a.reads.includes(b.id))
}

type RoutedFailure = Pick<Trial, 'route' | 'failure'>

/** The place of the check that finds a failure, in the order of the checks. Null without one */
function orderOfCheck({ failure, route }: RoutedFailure): number | null {
  if (!failure) return null
  const { check = failureFormats[failure.name].check } = failure.details
  return checks.indexOf(route ? check : 'path')
}

/** Whether an earlier check found one failure than another. */
function isFoundEarlier(...both: readonly [RoutedFailure, RoutedFailure]): boolean {
  const [earlier, later] = both.map(orderOfCheck)
  if (earlier == null || later == null) return false
  // Where a setting allows a key in the body, a missing key is found after the syntax of the body.
  if (earlier === checks.indexOf('body') && later === checks.indexOf('key')) return true
  return earlier < later
}
