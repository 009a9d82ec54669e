import { readFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import { root } from '../cli/command.ts'

const languages: Readonly<Record<string, string>> = {
  mjs: 'js',
  mts: 'ts',
  cts: 'ts',
  py: 'python',
}

/**
 * A file of a project in `test/consumers`, as the README shows it.
 *
 * @example consumerBlock('vitest/launch.test.ts') // what stands after <!-- consumer vitest/launch.test.ts -->
 */
export function consumerBlock(file: string): string {
  const text = readFileSync(join(root, 'test', 'consumers', file), 'utf8')
  const extension = extname(file).slice(1)
  return `\`\`\`${languages[extension] ?? extension}\n${text.trimEnd()}\n\`\`\``
}
