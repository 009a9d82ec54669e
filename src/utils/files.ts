import { createRequire } from 'node:module'
import { dirname, isAbsolute, join, resolve } from 'node:path'
import { UsageError } from './usage-error.ts'

/** Creates the error for a file that could not be read. @param error an exception of `node:fs` */
export function unreadableFileError(file: string, error: unknown): UsageError {
  const { code } = error as { code?: string }
  if (code === 'ENOENT') {
    const place = isAbsolute(file)
      ? ''
      : ` (looked for ${resolve(file)}, relative to the working directory)`
    return new UsageError(`${file} not found${place}.`)
  }
  if (code === 'EISDIR') return new UsageError(`${file} is a folder. Choose a file.`)
  return new UsageError(`${file} cannot be read (${code}).`)
}

/**
 * Returns the absolute path of a file of this package. The sources, the built library and the bundled command lie at
 * different depths, so a path relative to a module would be wrong for two of them.
 */
export function packageFile(path: string): string {
  const manifest = createRequire(import.meta.url).resolve('understudy-api/package.json')
  return join(dirname(manifest), path)
}
