import type { PartialAnswers } from '../fit/answer-differences.ts'
import type { TriedValue } from '../fit/fit-settings.ts'
import type { SettingId } from '../settings/setting.ts'
import { formatCount } from '../utils/text.ts'

export interface Comparison {
  /** How many were sent, repeated ones included */
  readonly requests: number
  /** How many of their answers the best settings explain, and how many could be compared */
  readonly explained: number
  readonly compared: number
  readonly settings: readonly ComparedSetting[]
  readonly unexplained: readonly Unexplained[]
  /** The requests whose responses were not compared, by the reason */
  readonly not_compared: readonly NotCompared[]
  /** What the reader of a result must know, in sentences */
  readonly notes: readonly string[]
  /** Rows that may be left in the server, in sentences */
  readonly left: readonly string[]
  /** Why the comparison ended early, as a sentence. Null if it ran to its end */
  readonly ended: string | null
}

export interface ComparedSetting {
  readonly id: SettingId
  /** The value that the answers show. Null if the value stays open */
  readonly value: TriedValue | null
  /** The requests whose answers show it */
  readonly shown_by: readonly string[]
  /** Other values that fit as well. If `open` is `several_fit`: all values that fit, or were not tested */
  readonly or: readonly TriedValue[]
  /** Why the value stays open, such as `not_shown`. Null if it has a value */
  readonly open: Explained | null
}

/** A word for programs, and what it means, as a sentence. */
export interface Explained {
  readonly word: string
  readonly sentence: string
}

/** Requests from whose responses nothing was concluded. `describeNotCompared` says what each reason means */
interface NotCompared extends Use<NotConcluded> {
  readonly requests: readonly string[]
}

export interface Use<Why = AnswerUse> {
  readonly why: Why
  /** What the server sent, in words. Null if it does not matter */
  readonly got: string | null
}

export type Unseen = Use<NotConcluded>

/** `missing`: an operation that never succeeds got a 404 or a 501, where a simulator has a success. A report tells it. */
type AnswerUse = 'usable' | 'missing' | NotConcluded

type NotConcluded =
  | 'not_sent'
  | 'ended'
  | 'no_response'
  | 'unstable'
  | 'failure'
  | 'other_form'
  | 'not_simulated'
  | 'too_large'
  | 'unbelieved'
  | 'other_rows'

interface Unexplained extends PartialAnswers {
  /** The requests whose answers show it */
  readonly requests: readonly string[]
}

/** Why nothing was concluded from requests, after their names. */
const outcomes: Readonly<Record<NotConcluded, (got: string | null) => string>> = {
  not_sent: () => 'could not be sent, because no response showed a needed id.',
  ended: () => 'had no turn before the comparison ended.',
  no_response: (got) => `got no response: ${got}`,
  unstable: (got) => `got two answers, ${got}. Compare while nothing else changes the server.`,
  failure: (got) => `got ${got} while the server failed, or the comparison ended. Compare again.`,
  other_form: (got) =>
    `got ${got}, unlike other errors. Check whether a proxy in front of the API sent it.`,
  not_simulated: () => 'could not be simulated, because a simulator lacks a needed row.',
  too_large: () => 'got a refusal for its size.',
  unbelieved: (got) => `got a ${got}, and no request of this kind succeeded.`,
  other_rows: () =>
    'may be about other rows than in a simulator, because an earlier write had another result there.',
}

/** Why responses were not compared, as the beginning of a sentence about their requests. */
export function describeNotCompared({ why, got, requests }: NotCompared): string {
  return `${formatCount(requests.length, 'request')} ${outcomes[why](got)}`
}

export function describeUnexplained({ got, simulated }: Unexplained): string {
  return `${got}, and ${simulated} in a simulator`
}
