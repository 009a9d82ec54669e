/** Why an answer is believed: the document says it, a live service was seen doing it, or somebody has to choose. */
export type Evidence = 'documented' | 'observed' | 'assumed'

/** One allowed value of a policy: what it means in one sentence, and why it is believed. */
export interface PolicyValue {
  readonly says: string
  readonly evidence: Evidence
  /** A line of the document, or a section of the observations (`observed §4.5`). */
  readonly source: string
  /** Bounds of the value named `integer`: such a policy takes a whole number instead of a word. */
  readonly minimum?: number
  readonly maximum?: number
}

/** A named answer to one "not shown" of the document, or to one place where the live service contradicts it. */
export interface Policy {
  /** What the document says, in its own words. */
  readonly line: string
  readonly question: string
  readonly values: Readonly<Record<string, PolicyValue>>
  /** The value in the profile `documented`, the default. */
  readonly documented: string | number
  /** The value in the profile `live`. */
  readonly live: string | number
  /** Why there is a single value, where there is. */
  readonly only?: string
}
