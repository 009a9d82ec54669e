import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

/**
 * Returns the absolute path of a file of this package. The sources, the built library and the bundled command lie at
 * different depths, so a path relative to a module would be wrong for two of them.
 */
export function packageFile(path: string): string {
  const manifest = createRequire(import.meta.url).resolve('understudy-api/package.json')
  return join(dirname(manifest), path)
}
