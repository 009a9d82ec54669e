import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import process from 'node:process'
import { UsageError } from '../../utils/errors.ts'

/**
 * Checks that the installed msw works with this version of Node, which MSW itself does not.
 *
 * @throws UsageError for msw 3 before Node 22
 */
export function checkMsw(from: string = import.meta.url, promise: object = Promise): void {
  const version = mswVersion(from)
  if ('withResolvers' in promise || Number.parseInt(version, 10) < 3 || version === '') return
  throw new UsageError(
    `msw ${version} needs Node 22 or newer, and this is Node ${process.versions.node}. Update Node, or install msw 2: npm install --save-dev msw@2`,
  )
}

/** The version of msw that this package uses. Empty if its files are not found, as in a bundle */
export function mswVersion(from: string = import.meta.url): string {
  try {
    const file = createRequire(from).resolve('msw/package.json')
    return JSON.parse(readFileSync(file, 'utf8')).version
  } catch {
    return ''
  }
}
