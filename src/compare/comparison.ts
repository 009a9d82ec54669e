import { type Differences, isExplained, type PartialAnswers } from '../fit/answer-differences.ts'
import type { ComparedAnswer, Fit, Trial, TriedValue } from '../fit/fit-settings.ts'
import type { SettingId, SettingValues } from '../settings/setting.ts'
import type { SettingFinding } from './conclude.ts'

/** What a server shows of the settings. */
export interface Comparison {
  /** How many requests were sent */
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

/** A value, and what the answers say about it. */
export interface ComparedSetting {
  readonly id: SettingId
  /** The value that the answers show. Null if the value stays open */
  readonly value: TriedValue | null
  /** The requests whose answers show it */
  readonly shown_by: readonly string[]
  /** Values that fit as well */
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
export interface NotCompared extends Use<NotConcluded> {
  readonly requests: readonly string[]
}

/** What can be concluded from an answer. */
export interface Use<Why = AnswerUse> {
  readonly why: Why
  /** What the server sent, in words. Null if it does not matter */
  readonly got: string | null
}

/** Why nothing is concluded from the answer to a request. */
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

/** Something in answers that the best values do not explain. */
export interface Unexplained extends PartialAnswers {
  /** The requests whose answers show it */
  readonly requests: readonly string[]
}

/** The simulator that a report speaks of: with the values that were found, and with the expected ones for the others. */
export function reportedTrial(
  { settings, world }: Fit,
  findings: readonly SettingFinding[],
  expected: SettingValues,
): Trial {
  const unknown = findings
    .filter(({ isDenied, by }) => isDenied || by.length === 0)
    .map(({ id }) => [id, expected[id]])
  return { settings: { ...settings, ...Object.fromEntries(unknown) }, world }
}

/**
 * Says what differs from a simulator.
 *
 * @param uses what can be concluded from each answer
 * @param nameOf names a request by its index
 */
export function reviewAnswers(
  answers: readonly ComparedAnswer[],
  uses: readonly Use[],
  nameOf: (at: number) => string,
): Pick<Comparison, 'compared' | 'explained' | 'unexplained' | 'not_compared'> {
  const groups = new Map<string, PartialAnswers & { readonly requests: Set<string> }>()
  const left = new Map<string, NotCompared & { readonly requests: string[] }>()
  let [compared, explained] = [0, 0]
  for (const [at, { why, got }] of uses.entries()) {
    if (why !== 'usable' && why !== 'missing') {
      const name = `${why} ${got}`
      const group = left.get(name) ?? { why, got, requests: [] }
      left.set(name, group)
      group.requests.push(nameOf(at))
      continue
    }
    const differences = answers[at]?.differences ?? new Map()
    compared += 1
    explained += Number(why === 'usable' && isExplained(differences))
    const missing = { part: 'status', got: `${got}`, simulated: 'a success' }
    for (const words of why === 'missing' ? [missing] : wordsOf(differences)) {
      const name = JSON.stringify(words)
      const group = groups.get(name) ?? { ...words, requests: new Set() }
      groups.set(name, group)
      group.requests.add(nameOf(at))
    }
  }
  const unexplained = [...groups.values()].map((group) => {
    return { ...group, requests: [...group.requests] }
  })
  return { compared, explained, unexplained, not_compared: [...left.values()] }
}

/** What differs in one answer. All fields that only one side has are one difference. */
function wordsOf(differences: Differences): PartialAnswers[] {
  const words: PartialAnswers[] = []
  const fields = new Map<string, Set<string>>()
  for (const [name, { kind, simulated, words: toWords }] of differences) {
    if (toWords === null) continue
    if (kind !== 'field' && !name.startsWith('field ')) words.push(toWords())
    else {
      fields.set(simulated, (fields.get(simulated) ?? new Set()).add(toWords().part))
    }
  }
  for (const [simulated, names] of fields) {
    const list = new Intl.ListFormat('en-GB').format(names)
    const got = simulated === 'absent' ? 'present' : 'absent'
    words.push({ part: `${names.size > 1 ? 'fields' : 'field'} ${list}`, got, simulated })
  }
  return words
}
