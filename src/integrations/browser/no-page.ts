import { UsageError } from '../../utils/errors.ts'

// What Node loads as `understudy-api/browser`. Where a server renders pages, its bundler finds this import, too.

/** @throws UsageError always: Node has no page whose requests a worker could answer */
export async function startInBrowser(): Promise<never> {
  throw new UsageError(
    'Failed to start in the browser: this is Node, which has no page and no panel. Call startInBrowser() in the page only, ' +
      'as in an effect. A server that renders pages sends its requests to one of npx understudy-api exec, and tests in ' +
      'Node use understudy-api/vitest or understudy-api/node.',
  )
}
