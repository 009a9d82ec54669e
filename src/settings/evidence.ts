import { type DocumentLine, documentLines } from './document.ts'

/** Why a value is believed: the documentation says it, the source of the service shows it, or it is a guess. */
export type Evidence = 'documented' | 'source' | 'assumed'

/** The least certain one first. */
export const evidences: readonly Evidence[] = ['assumed', 'source', 'documented']

type WithEvidence = { readonly evidence: Evidence }

export function byEvidence(a: WithEvidence, b: WithEvidence): number {
  return evidences.indexOf(a.evidence) - evidences.indexOf(b.evidence)
}

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

// What was read of the service, or run. No running service was asked.
export const inSource = "in the service's source"
export const inTests = "in the service's own tests"
export const inFramework = "by running the service's framework"

/** A value that a line of the documentation states. @param rest what it does not say, and what is assumed about it */
export function documented(meaning: string, line: DocumentLine, rest = ''): PossibleValue {
  const source = `the documentation says: ${documentLines[line]}${rest}`
  return { meaning, evidence: 'documented', source }
}

/** A value that the service has by what was read of it. @param source where it was read */
export function fromSource(meaning: string, source: string = inSource): PossibleValue {
  return { meaning, evidence: 'source', source }
}

/** A value that no source shows. @param source why it is possible */
export function assumed(
  meaning: string,
  source = 'unknown; a robust client tolerates it',
): PossibleValue {
  return { meaning, evidence: 'assumed', source }
}

export function anyNumber(minimum: number, maximum: number, source?: string): PossibleValue {
  return { ...assumed('At most this number.', source), minimum, maximum }
}
