/** What a command found, as data. Each printer writes the parts that its format has. */
export interface Report {
  readonly title: string
  /** For people */
  readonly text: string
  /** For programs */
  readonly json: unknown
  readonly junit: { readonly name: string; readonly suites: readonly TestSuite[] }
}

export interface TestSuite {
  readonly name: string
  /** By default the time of its cases */
  readonly ms?: number
  readonly cases: readonly TestCase[]
}

/** A test case. It passed if it has no problem. */
export interface TestCase {
  readonly name: string
  /** What groups cases, such as a file */
  readonly classname: string
  readonly ms?: number
  readonly problem?: {
    readonly kind: 'failure' | 'error' | 'skipped'
    readonly message: string
    readonly type?: string
    readonly text?: string
  }
}

/** Something that a command found out about a client or a server, for a person and for continuous integration. */
export interface Finding {
  /** The id of its rule, such as `swallowed-delete` */
  readonly rule: string
  readonly level: FindingLevel
  /** What was found, in a sentence */
  readonly message: string
  /** What to do about it, in a sentence */
  readonly cure?: string
  /** Shows what was found: a command for a shell, or code of a test */
  readonly command?: string
  /** Why it is believed: documented, from its source or assumed */
  readonly evidence?: string
  /** Where the evidence comes from */
  readonly source?: string
  /** Further lines, such as the requests that show it */
  readonly details?: readonly string[]
}

/** A finding about requests, such as a client mistake. Equal ones are one. */
export interface RequestFinding extends Finding {
  /** A line for the first requests that show it, and the latest, and how many more there are */
  readonly details: readonly string[]
  /** How often it happened */
  readonly times: number
  /** The ids of the journal entries that show it: the first ones, and the latest. At most 20 */
  readonly entries: readonly number[]
  /** How many entries show it */
  readonly count: number
  /** The rows that it is about: the first ones, at most 20. Only if there are any */
  readonly rows?: readonly { readonly list: string; readonly id: number | string }[]
  /** Tests that the entries belong to, if they are known */
  readonly tests?: readonly string[]
}

/** How serious a finding is. */
export type FindingLevel = 'error' | 'warning' | 'note'

export interface RuleDescription {
  readonly id: string
  readonly sentence: string
  /** What to do about a violation, in a sentence */
  readonly cure?: string
}

export type PrintedFinding = Pick<Finding, 'message' | 'details' | 'cure' | 'command'>

/** Formats a finding as lines of text: its message, its details indented, and its cure. */
export function formatFinding({ message, details = [], cure, command }: PrintedFinding): string[] {
  const secrets = command?.includes('…') ? ', with what you wrote for each …' : ''
  const example = command && `To see it fail${secrets}: ${command}`
  const advice = [cure, example].filter(Boolean).join(' ')
  return [message, ...details.map((line) => `  ${line}`), ...(advice ? [advice] : [])]
}

export function alignColumns(rows: readonly (readonly string[])[]): string[] {
  const widthOf = (column: number) => Math.max(...rows.map((row) => row[column]?.length ?? 0))
  return rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widthOf(column)))
      .join('  ')
      .trimEnd(),
  )
}
