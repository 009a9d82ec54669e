import { createRequire } from 'node:module'
import type { http } from 'msw'

const require = createRequire(import.meta.url)

/**
 * What makes the HTTP handlers of MSW. `import 'msw'` would load GraphQL, WebSockets and their parsers in each test file,
 * and takes longer than the rest of this package. Node gives `require` the module that `import` has.
 *
 * @throws what Node throws if msw is not installed
 */
export function loadHttp(): typeof http {
  try {
    return require('msw/core/http').http
  } catch (error) {
    // The name in msw 3.
    if ((error as NodeJS.ErrnoException).code === 'ERR_PACKAGE_PATH_NOT_EXPORTED')
      return require('msw/http').http
    throw error
  }
}
