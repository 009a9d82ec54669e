import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../../../src', import.meta.url))

/** A file of the library. */
export interface Source {
  /** The path in src, such as `http/answer.ts` */
  readonly file: string
  readonly lines: number
  /** Files of src by path, packages by name */
  readonly imports: readonly string[]
  readonly text: string
}

/** Every file of the library. */
export const sources: readonly Source[] = readdirSync(root, { recursive: true, encoding: 'utf8' })
  .filter((file) => /\.tsx?$/.test(file) && !file.endsWith('.d.ts'))
  .map((file) => {
    const text = readFileSync(join(root, file), 'utf8')
    return { file, text, lines: text.split('\n').length - 1, imports: importsOf(file, text) }
  })

function importsOf(file: string, text: string): string[] {
  const names = [...text.matchAll(/(?:from|import\(|^import)\s*'([^']+)'/gm)].map(
    ([, name]) => name as string,
  )
  return names.map((name) =>
    name.startsWith('.') ? relative(root, join(root, dirname(file), name)) : name,
  )
}

/** Removes the comments of a source. */
export function withoutComments(text: string): string {
  return text.replace(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, '')
}
