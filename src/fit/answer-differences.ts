import type { SettingId } from '../settings/setting.ts'

/**
 * What kind of part of a response is another one:
 * - `status`, and then the rest is not compared
 * - `certain` must be right before anything is concluded from the rest but the status: the kind of body
 * - `kept` a field that was sent comes back with another value
 * - `part` rows and values
 * - `field` a field that only one side has
 * - `hint` a header, the form of an error, a limit: no later response follows from it
 * - `shown` what no setting changes: nothing is concluded from it, and only a report tells it
 */
type Kind = 'status' | 'certain' | 'kept' | 'part' | 'field' | 'hint' | 'shown'

/** What a report says of a part of a response that no setting explains. */
export interface PartialAnswers {
  /** The part of an answer: `status`, `header allow`. For a field that only one side has, its name */
  readonly part: string
  /** What the service answers, and what a simulator does with the best settings, in words */
  readonly got: string
  readonly simulated: string
}

/** A part of a response in which a simulator differs from the service. */
export interface AnswerDifference {
  readonly kind: Kind
  readonly simulated: string
  /** The fields that were sent, and for whose values the simulator may have refused the request */
  readonly refused?: readonly string[]
  /** The only setting that it says something about. By default any setting */
  readonly subject?: SettingId
  /** Whether a simulator is not less alike for it, because many services are other there */
  readonly isMinor?: true
  /** Says it. Null for a part that no reader looks at, and for a recording, of which no report is made */
  readonly words: (() => PartialAnswers) | null
}

/** By the names of the parts. */
export type Differences = ReadonlyMap<string, AnswerDifference>

/** How much of an answer a simulator explains: 10 for the status, and up to 10 for the rest. */
export function likeness(differences: Differences): number {
  if (differences.has('status')) return 0
  const major = [...differences.values()].filter(
    ({ kind, isMinor }) => kind !== 'shown' && !isMinor,
  )
  return 10 + 10 / (1 + major.length / 10)
}

/** The differences that say something about a setting. */
export function about(id: SettingId, differences: Differences): Differences {
  const isAbout = ({ kind, subject = id }: AnswerDifference) => kind !== 'shown' && subject === id
  return new Map([...differences].filter(([, difference]) => isAbout(difference)))
}

/** Whether a response is that of one simulator, as far as another one has another. */
export function favours(its: Differences, others: Differences): boolean {
  const kinds = new Set([...its.values()].map(({ kind }) => kind))
  if (kinds.has('status')) return false
  if (others.has('status')) return !keepsOtherThanRefused(its, others)
  if (kinds.has('certain')) return false
  if ([...others.values()].some(({ kind }) => kind === 'certain')) return true
  // Where both differ from the service, its response says nothing about the two.
  const wrong = namesOnlyIn(its, others)
  const right = namesOnlyIn(others, its)
  const isField = (name: string) => (its.get(name) ?? others.get(name))?.kind === 'field'
  if (!wrong.every(isField)) return false
  return hasFields(its, others, wrong, right) && right.length > 0
}

/** Whether a service keeps another value than one simulator, where the other one refuses the value. */
function keepsOtherThanRefused(its: Differences, others: Differences) {
  const { refused = [] } = others.get('status') ?? {}
  return refused.some((field) => its.has(`kept ${field}`))
}

/** The parts in which only the first of two simulators differs from the service. */
function namesOnlyIn(its: Differences, others: Differences) {
  return [...its.keys()].filter((name) => !others.has(name))
}

/** Whether nearly all fields that only one of two simulators has are as in the service. */
function hasFields(
  its: Differences,
  others: Differences,
  wrong: readonly string[],
  right: readonly string[],
) {
  const isNear = (side: string, otherSide: string) => {
    const missed = wrong.filter((name) => its.get(name)?.simulated === side).length
    const met = right.filter((name) => {
      const difference = others.get(name)
      return difference?.kind === 'field' && difference.simulated === otherSide
    }).length
    return missed === 0 || missed / (missed + met) <= 0.2
  }
  return isNear('present', 'absent') && isNear('absent', 'present')
}

/**
 * Whether a response contradicts one simulator where it differs from another: both have another part than the service,
 * or its row keeps another value, also one that the other refuses.
 */
export function contradicts(its: Differences, others: Differences): boolean {
  const [status, otherStatus] = [its.get('status'), others.get('status')]
  if (status && otherStatus) return status.simulated !== otherStatus.simulated
  if (status) return keepsOtherThanRefused(others, its)
  if (otherStatus) return keepsOtherThanRefused(its, others)
  const isOfNeither = ([name, { kind, simulated }]: [string, AnswerDifference]) => {
    const other = others.get(name)
    const isNamed = kind === 'hint' || kind === 'certain'
    return isNamed && other !== undefined && other.simulated !== simulated
  }
  if ([...its].some(isOfNeither)) return true
  return namesOnlyIn(its, others).some((name) => its.get(name)?.kind === 'kept')
}

/** Whether nothing differs but parts that no reader looks at. */
export function isExplained(differences: Differences): boolean {
  return [...differences.values()].every(({ words }) => words === null)
}
