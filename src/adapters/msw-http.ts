import { http } from 'msw'

/**
 * What makes the HTTP handlers of MSW. In Node, the package has `msw-http-in-node.ts` in place of this module, by `imports`
 * of package.json. Pages and bundlers need an import that they can follow, and CommonJS has a copy.
 */
export function loadHttp(): typeof http {
  return http
}
