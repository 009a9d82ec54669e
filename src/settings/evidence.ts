import { type DocumentLine, documentLines } from './document.ts'

/** Why a value is believed: the documentation says it, the live service was seen doing it, or it is a guess. */
export type Evidence = 'documented' | 'observed' | 'assumed'

/** An allowed value of a setting. */
export interface PossibleValue {
  /** What the value means, as a sentence that answers the question of the setting. */
  readonly meaning: string
  readonly evidence: Evidence
  readonly source: string
  /** The bounds of the value named `integer`. A setting with this value is set to a whole number. */
  readonly minimum?: number
  readonly maximum?: number
}

// Where the live service was observed.
export const inSource = 'read in the source of the live service'
export const inTests = "seen in the live service's own tests"
export const inFramework = 'seen by running the framework of the live service'

/** A value that a line of the documentation states. @param rest what it does not say, and what is assumed about it */
export function documented(meaning: string, line: DocumentLine, rest = ''): PossibleValue {
  const source = `the documentation says: ${documentLines[line]}${rest}`
  return { meaning, evidence: 'documented', source }
}

/** A value that the live service was seen to have. @param source where it was seen */
export function observed(meaning: string, source: string = inSource): PossibleValue {
  return { meaning, evidence: 'observed', source }
}

/** A value that nobody has seen. @param source why it is possible */
export function assumed(
  meaning: string,
  source = 'never seen; a robust client tolerates it',
): PossibleValue {
  return { meaning, evidence: 'assumed', source }
}

/** Any whole number from a minimum to a maximum. */
export function anyNumber(minimum: number, maximum: number, source?: string): PossibleValue {
  return { ...assumed('At most this number.', source), minimum, maximum }
}
