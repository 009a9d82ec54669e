import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../cli/command.ts'

/** A code block of a document. */
export interface Block {
  /** Such as `ts` */
  readonly language: string
  /** `README-42`, by the line that it begins at */
  readonly name: string
  readonly text: string
  /** Whether it is a file of a project in `test/consumers`, which runs it. */
  readonly isOfConsumer: boolean
}

/** Every code block of a document in the root, from top to bottom. */
export function codeBlocks(document: string): Block[] {
  const text = readFileSync(join(root, document), 'utf8')
  return [...text.matchAll(/^```(\w*)\n([\s\S]*?)^```$/gm)].map(
    ({ index, 1: language = '', 2: block = '' }) => ({
      language,
      name: `${document.replace('.md', '')}-${text.slice(0, index).split('\n').length}`,
      text: block,
      isOfConsumer: /<!-- consumer \S+ -->\s*$/.test(text.slice(0, index)),
    }),
  )
}

/** The commands of a block for the shell, without their comments. */
export function shellCommands({ text }: Block): string[] {
  const lines = text.replace(/ \\\n\s*/g, ' ').split('\n')
  return lines.flatMap((line) => line.replace(/(^|\s+)# .*$/, '').trim() || [])
}

/** JavaScript of which every line `expression // value` is held to it. @example sum(1, 2) // 3 */
export function withClaims(code: string): string {
  return code.replace(
    claim,
    (_, expression, value) => `__same(${expression}, ${value}, ${JSON.stringify(expression)})`,
  )
}

/** How many lines of a block say what comes out. */
export function countClaims({ text }: Block): number {
  return [...text.matchAll(claim)].length
}

const claim = /^((?!const|let|import|await)\S.*?);? \/\/ (true|false|\d+)$/gm
