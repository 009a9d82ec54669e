import { readFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import { root } from '../cli/command.ts'

const languages: Readonly<Record<string, string>> = {
  mjs: 'js',
  mts: 'ts',
  cts: 'ts',
  py: 'python',
  rb: 'ruby',
  cs: 'csharp',
}

/**
 * Formats a file of a project in `test/consumers` as a code block of the README.
 *
 * @example consumerBlock('vitest/launch.test.ts') // '```ts\nimport …'
 */
export function consumerBlock(file: string): string {
  const text = readFileSync(join(root, 'test', 'consumers', file), 'utf8')
  const extension = extname(file).slice(1)
  return `\`\`\`${languages[extension] ?? extension}\n${text.trimEnd()}\n\`\`\``
}
