import type { Unexplained } from './comparison.ts'
import type { Hypothesis } from './hypothesis.ts'
import type { Run } from './run.ts'
import type { Script } from './script.ts'

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

/** The responses of a service, and what may be concluded from them. */
export interface Evidence {
  readonly script: Script
  /** The hypotheses that a search starts from */
  readonly start: readonly Hypothesis[]
  /** What may be true of the service besides its settings, by names that begin with `world.` */
  readonly worlds: Readonly<Record<string, readonly string[]>>
  /** Says what may be true, as a clause. */
  describeWorld(name: string, value: string): string
  /** The numbers to try for settings of whole numbers */
  numbersOf(id: string): readonly number[]
  /** Where a simulator responds otherwise than the service, the same object each time. Null without a response */
  differences(at: number, run: Run): Promise<Differences | null>
  /** The rows that a request is about. */
  subjectsOf(at: number): readonly string[]
  /** Whether something can be concluded from a response, if the rows are the same. */
  isBelieved(at: number): boolean
  /** Whether a request leaves other rows in a simulator than in the service. */
  spoils(at: number, run: Run): Promise<boolean>
  /** Why a value cannot be told from others although its responses differ, as a sentence. Null if it can */
  doubt(id: string, value: string | number, by: readonly number[]): string | null
}

/** How many responses that differ in the same way are explained by several values together. */
const maxSameKind = 3

/** Compares the responses of a service with those of simulators. */
export class Judge {
  readonly evidence: Evidence
  readonly #alike = new Map<string, Set<number>>()

  constructor(evidence: Evidence) {
    this.evidence = evidence
  }

  /** How much of a response a simulator explains: 10 for the status, and up to 10 for the rest. */
  async likeness(at: number, run: Run): Promise<number> {
    const differences = await this.evidence.differences(at, run)
    if (differences === null || differences.has('status')) return 0
    return 10 + 10 / (1 + differences.size / 10)
  }

  /** Whether a simulator responds in a way that other responses follow from: with another status, or with other rows. */
  async isOther(at: number, run: Run): Promise<boolean> {
    const differences = await this.evidence.differences(at, run)
    const strong = [...(differences ?? [])].filter(([, { kind }]) => !/hint|field/.test(kind))
    if (strong.length === 0) return false
    const { as } = this.evidence.script.step(at)
    const { operation } = await run.at(at)
    const places = new Set(strong.map(([name]) => name.replace(/\[\d+\]/g, '[]')))
    const name = [operation, as, differences?.get('status')?.simulated, ...places].join(' ')
    const known = this.#alike.get(name) ?? new Set()
    this.#alike.set(name, known)
    if (known.size < maxSameKind) known.add(at)
    return known.has(at)
  }

  /** Whether a response of the service is that of one simulator and not that of another, where these two differ. */
  async favours(at: number, one: Run, other: Run): Promise<boolean> {
    const pair = await this.#differing(at, one, other)
    return pair !== null && favours(...pair)
  }

  /** Whether a response of the service is not that of one simulator, where this differs from another. */
  async contradicts(at: number, one: Run, other: Run): Promise<boolean> {
    const pair = await this.#differing(at, one, other)
    return pair !== null && contradicts(...pair)
  }

  /** Null for the same response, or none */
  async #differing(at: number, one: Run, other: Run): Promise<[Differences, Differences] | null> {
    const mine = await this.evidence.differences(at, one)
    const theirs = await this.evidence.differences(at, other)
    return mine === null || theirs === null || mine === theirs ? null : [mine, theirs]
  }

  /**
   * The requests from whose responses something may be concluded, if a run is the best explanation. After a write that it
   * carries out otherwise, those about the same rows show nothing.
   */
  async usable(best: Run): Promise<readonly number[]> {
    const { evidence } = this
    const spoilt = new Set<string>()
    const usable: number[] = []
    for (let at = 0; at < best.length; at += 1) {
      const subjects = evidence.subjectsOf(at)
      const isKnown = (await evidence.differences(at, best)) !== null
      if (isKnown && evidence.isBelieved(at) && !subjects.some((each) => spoilt.has(each))) {
        usable.push(at)
      }
      if (await evidence.spoils(at, best)) for (const each of subjects) spoilt.add(each)
    }
    return usable
  }

  /** The earlier writes that the response to a request may depend on. */
  earlier(at: number): readonly number[] {
    const { evidence } = this
    const subjects = new Set(evidence.subjectsOf(at))
    const before = Array.from({ length: at }, (_, index) => index)
    return before.filter((index) => {
      const isWrite = !evidence.script.isRead(index)
      return isWrite && evidence.subjectsOf(index).some((each) => subjects.has(each))
    })
  }
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
function contradicts(mine: Differences, theirs: Differences): boolean {
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
