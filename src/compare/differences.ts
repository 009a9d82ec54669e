import type { Unexplained } from './comparison.ts'

/**
 * What kind of part of a response is another one:
 * - `status`, and then the rest is not compared
 * - `certain` must be right before anything is concluded from the rest: the kind of body, a broken connection
 * - `kept` a field that was sent comes back with another value
 * - `part` rows and values
 * - `field` a field that only one side has
 * - `hint` a header, the form of an error, a limit: no later response follows from it
 */
type Kind = 'status' | 'certain' | 'kept' | 'part' | 'field' | 'hint'

/** A part of a response in which a simulator differs from the service. */
export interface Difference {
  readonly kind: Kind
  /** What the simulator has */
  readonly simulated: string
  /** Says it. Null for a part that no reader looks at */
  readonly words: (() => Omit<Unexplained, 'requests'>) | null
}

/** By the names of the parts. */
export type Differences = ReadonlyMap<string, Difference>

/** How much of an answer a simulator explains: 10 for the status, and up to 10 for the rest. */
export function likeness(differences: Differences): number {
  return differences.has('status') ? 0 : 10 + 10 / (1 + differences.size / 10)
}

/** Whether a response is that of one simulator, as far as another one has another. */
export function favours(mine: Differences, theirs: Differences): boolean {
  const kinds = new Set([...mine.values()].map(({ kind }) => kind))
  if (kinds.has('status') || kinds.has('certain')) return false
  if (theirs.has('status')) return !kinds.has('kept')
  // Where both differ from the service, its response says nothing about the two.
  const wrong = namesOf(mine, theirs)
  const right = namesOf(theirs, mine)
  const isField = (name: string): boolean => (mine.get(name) ?? theirs.get(name))?.kind === 'field'
  if (!wrong.every(isField)) return false
  return hasFields(mine, theirs, wrong, right) && right.length > 0
}

/** The parts in which only the first one differs from the service. */
function namesOf(one: Differences, other: Differences): string[] {
  return [...one.keys()].filter((name) => !other.has(name))
}

/** Whether nearly all fields that only one of two simulators has are as in the service. */
function hasFields(
  mine: Differences,
  theirs: Differences,
  wrong: readonly string[],
  right: readonly string[],
): boolean {
  const isNear = (side: 'present' | 'absent', otherSide: 'present' | 'absent'): boolean => {
    const missed = wrong.filter((name) => mine.get(name)?.simulated === side).length
    const met = right.filter((name) => {
      const difference = theirs.get(name)
      return difference?.kind === 'field' && difference.simulated === otherSide
    }).length
    return missed === 0 || missed / (missed + met) <= 0.2
  }
  return isNear('present', 'absent') && isNear('absent', 'present')
}

/** How many fields two similar rows differ in at most. */
const fewFields = 8

/**
 * Whether a response contradicts one simulator where it differs from another: neither has its status, its row keeps
 * another value, or it has a further field and the two differ in few fields.
 */
export function contradicts(mine: Differences, theirs: Differences): boolean {
  const [status, other] = [mine.get('status'), theirs.get('status')]
  if (status || other)
    return status !== undefined && other !== undefined && status.simulated !== other.simulated
  const wrong = namesOf(mine, theirs)
  if (wrong.some((name) => mine.get(name)?.kind === 'kept')) return true
  const fields = [...wrong, ...namesOf(theirs, mine)].filter(
    (name) => (mine.get(name) ?? theirs.get(name))?.kind === 'field',
  )
  const isFurther = ([name, { kind, simulated }]: [string, Difference]): boolean =>
    kind === 'field' && simulated === 'absent' && !name.includes('.') && theirs.has(name)
  return fields.length > 0 && fields.length <= fewFields && [...mine].some(isFurther)
}

/** Whether nothing differs but fields that one side has, and parts that no reader looks at. */
export function isExplained(differences: Differences): boolean {
  return [...differences.values()].every(({ kind, words }) => kind === 'field' || words === null)
}
