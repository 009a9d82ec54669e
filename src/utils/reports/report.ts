/** What a command found, as data. Each printer writes the parts that its format has. */
export interface Report {
  readonly title: string
  /** By default the title */
  readonly heading?: string
  /** Before the first section */
  readonly intro?: readonly Paragraph[]
  readonly sections: readonly Section[]
  /** For programs */
  readonly json: unknown
  /** For a terminal */
  readonly text?: string
  readonly junit?: { readonly name: string; readonly suites: readonly TestSuite[] }
  readonly sarif?: {
    /** The command that found the findings, such as `understudy exec` */
    readonly command: string
    readonly rules: readonly RuleDescription[]
    readonly findings: readonly Finding[]
  }
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

export type Paragraph = Cell | readonly (Cell | { readonly code: string })[]

/** A text, or a text with a tone. */
export type Cell = string | { readonly text: string; readonly tone: Tone }

/** What a text means to its reader. */
export type Tone = 'ok' | 'bad' | 'documented' | 'observed' | 'assumed' | ''

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
