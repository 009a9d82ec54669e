import { readDocument } from '../../../.tools/markdown.ts'

export { contributorDocuments, documents, readDocument } from '../../../.tools/markdown.ts'

/** A code block of a document. */
interface Block {
  /** Such as `ts` */
  readonly language: string
  /** The document and the line where the block starts: `README-42`, `src-sandbox-README-42` */
  readonly name: string
  readonly text: string
  /** Whether it is a file of a project in `test/consumers`, which runs it */
  readonly isOfConsumer: boolean
  /** What follows the language, such as `exits 1` or `not run: it needs Docker` */
  readonly check: string
}

/** Every code block of a document, from top to bottom. */
export function codeBlocks(document: string): Block[] {
  const text = readDocument(document)
  const name = document.replace('.md', '').replaceAll('/', '-')
  return [...text.matchAll(/^```(\w*)(?: (.+))?\n([\s\S]*?)^```$/gm)].map(
    ({ index, 1: language = '', 2: check = '', 3: block = '' }) => ({
      language,
      name: `${name}-${text.slice(0, index).split('\n').length}`,
      text: block,
      isOfConsumer: /<!-- consumer \S+ -->\s*$/.test(text.slice(0, index)),
      check,
    }),
  )
}

/** The relative links of a document, images included. */
export function relativeLinks(document: string): string[] {
  const links = [...readDocument(document).matchAll(/\]\(([^)\s]+)\)/g)]
  return links.map(([, target = '']) => target).filter((target) => !/^https?:/.test(target))
}

/** The anchors of the headings of a document, as GitHub and npm create them. */
export function headingAnchors(document: string): string[] {
  const prose = readDocument(document).replace(/^```[\s\S]*?^```$/gm, '')
  return [...prose.matchAll(/^#+ (.*)$/gm)].map(([, title = '']) => toAnchor(title))
}

function toAnchor(title: string): string {
  return title
    .toLowerCase()
    .replace(/[^\w -]/g, '')
    .replaceAll(' ', '-')
}

/** The commands of a shell block, without comments. */
export function shellCommands({ text }: Block): string[] {
  const lines = text.replace(/ \\\n\s*/g, ' ').split('\n')
  return lines.flatMap((line) => line.replace(/(^|\s+)# .*$/, '').trim() || [])
}

/** The commands of a row of a table, by its first cell. @example commandsInRow('README.md', 'node:test') // ['node --test'] */
export function commandsInRow(document: string, first: string): string[] {
  const row = readDocument(document)
    .split('\n')
    .find((line) => line.startsWith(`| ${first} |`))
  const cells = row?.split('|') ?? []
  return cells.flatMap((cell) => /^ `([^`]* [^`]*)` $/.exec(cell)?.[1] ?? [])
}

/** JavaScript in which every line `expression // value` is compared. @example sum(1, 2) // 3 */
export function withClaims(code: string): string {
  return code.replace(
    claim,
    (_, expression, value) => `__same(${expression}, ${value}, ${JSON.stringify(expression)})`,
  )
}

/** The number of lines of a block that are compared with a value. */
export function countClaims({ text }: Block): number {
  return [...text.matchAll(claim)].length
}

const claim = /^((?!const|let|import|await)\S.*?);? \/\/ (true|false|\d+|'[^'\n]*')$/gm
