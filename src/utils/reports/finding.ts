/** Something that a command found out about a client or a server, for a person and for continuous integration. */
export interface Finding {
  /** The id of its rule, such as `page-arithmetic` */
  readonly rule: string
  readonly level: FindingLevel
  /** What was found, in a sentence */
  readonly message: string
  /** What to do about it, in a sentence */
  readonly cure?: string
  /** Why it is believed: documented, observed or assumed */
  readonly evidence?: string
  /** Where the evidence comes from */
  readonly source?: string
  /** Further lines, such as the requests that show it */
  readonly details?: readonly string[]
}

/** How serious a finding is, in the words of SARIF. */
export type FindingLevel = 'error' | 'warning' | 'note'

/** A kind of finding. */
export interface RuleDescription {
  readonly id: string
  /** What the rule says, in a sentence */
  readonly sentence: string
  /** What to do about a violation, in a sentence */
  readonly cure?: string
}

/** Formats a finding as lines of text: its message, its details indented, and its cure. */
export function formatFinding({ message, details = [], cure }: Finding): string[] {
  return [message, ...details.map((line) => `  ${line}`), ...(cure === undefined ? [] : [cure])]
}
