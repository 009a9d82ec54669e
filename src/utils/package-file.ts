import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

/**
 * The absolute path of a file of this package. The sources, the built library and the bundled bin lie at different
 * depths, so a path relative to the module would be right for one of them only.
 *
 * @example packageFile('fixtures/empty.json')
 */
export function packageFile(path: string): string {
  const manifest = createRequire(import.meta.url).resolve('understudy-api/package.json')
  return join(dirname(manifest), path)
}
