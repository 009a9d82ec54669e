/** What a command found, as data. Each printer writes the parts that its format has. */
export interface Report {
  readonly title: string
  /** By default the title */
  readonly heading?: string
  /** Before the first section */
  readonly intro?: readonly Paragraph[]
  /** The numbers to see first */
  readonly counts?: readonly Count[]
  readonly sections: readonly Section[]
  /** For programs */
  readonly json: unknown
  /** For a terminal */
  readonly text?: string
  readonly junit?: { readonly name: string; readonly suites: readonly TestSuite[] }
}

/** The run that a report is about, for JUnit. */
export interface ReportRun {
  /** When it began, in ISO 8601 */
  readonly start: string
  readonly ms: number
  readonly hostname: string
}

/** A number of things, such as failed tests. */
export interface Count {
  readonly text: string
  readonly value: number | string
  readonly tone?: Tone
}

/** A part of a page, below its own heading. */
export interface Section {
  readonly title: string
  readonly blocks: readonly Block[]
}

export type Block =
  | { readonly paragraph: Paragraph }
  | { readonly columns: readonly string[]; readonly rows: readonly (readonly Cell[])[] }
  | { readonly items: readonly Item[]; readonly isOrdered?: boolean }
  | { readonly lines: readonly string[] }
  /** For a shell */
  | { readonly command: string }
  | PageFinding

/** A finding with a heading of its own. */
export interface PageFinding {
  /** In a sentence */
  readonly finding: string
  /** A word for its kind */
  readonly label?: Cell
  readonly blocks: readonly Block[]
}

export type Paragraph = Cell | readonly (Cell | { readonly code: string })[]

/** A text, or a text with a tone. */
export type Cell = string | { readonly text: string; readonly tone: Tone }

/** What a text means to its reader. */
type Tone = 'ok' | 'bad' | 'documented' | 'observed' | 'assumed' | ''

/** An entry of a list: a text, then a word that stands out, then lines below. Its class is its outcome. */
export interface Item {
  readonly text?: string
  readonly word?: string
  readonly outcome?: string
  readonly lines?: readonly string[]
}

/** A test suite, for JUnit. */
export interface TestSuite {
  readonly name: string
  /** By default the time of the run */
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
    /** Further lines */
    readonly text?: string
  }
}

/** Something that a command found out about a client or a server, for a person and for continuous integration. */
export interface Finding {
  /** The id of its rule, such as `page-arithmetic` */
  readonly rule: string
  readonly level: FindingLevel
  /** What was found, in a sentence */
  readonly message: string
  /** What to do about it, in a sentence */
  readonly cure?: string
  /** Shows what was found: a command for a shell, or code of a test */
  readonly command?: string
  /** Why it is believed: documented, observed or assumed */
  readonly evidence?: string
  /** Where the evidence comes from */
  readonly source?: string
  /** Further lines, such as the requests that show it */
  readonly details?: readonly string[]
}

/** How serious a finding is. */
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
export function formatFinding({ message, details = [], cure, command }: Finding): string[] {
  const advice = [
    ...(cure === undefined ? [] : [cure]),
    ...(command === undefined ? [] : [`To see it fail: ${command}`]),
  ]
  const lines = advice.length === 0 ? [] : [advice.join(' ')]
  return [message, ...details.map((line) => `  ${line}`), ...lines]
}

/** The text of a cell, without its tone. */
export function textOf(cell: Cell): string {
  return typeof cell === 'string' ? cell : cell.text
}
