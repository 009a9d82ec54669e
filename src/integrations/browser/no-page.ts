import { UsageError } from '../../utils/errors.ts'

// What Node, workers and React Native load as `understudy-api/browser`. Where a server renders pages, its bundler finds this
// import, too.

/** @throws UsageError always: there is no page whose requests a worker could answer */
export async function startInBrowser(): Promise<never> {
  throw new UsageError(
    'Failed to start in the browser: expected a page, got Node, a worker or React Native. Call startInBrowser() in the page ' +
      'only, as in an effect. A server that renders pages sends its requests to one of npx understudy-api exec, tests in ' +
      'Node use understudy-api/vitest or understudy-api/node, and others setupServer(...createSimulator().handlers).',
  )
}
