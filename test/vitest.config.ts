import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

const root = fileURLToPath(new URL('..', import.meta.url))

/** The tests of a file that imports one of these run on one transport. */
const usesTransport = /support\/lanes\/(start|mount|replay-server)\.ts'/

/** Tests of transports and servers run over HTTP, the others in-process through `setupServer`. */
const usesHttp = /^test\/(remote|server)\/|\/transport\/|^test\/laws\/control/

/** Tests that have a configuration of their own. */
const runsApart = /^test\/(browser|consumers|first-hour|packed)\/|\.slow\.test\.ts$/

const tests = readdirSync(join(root, 'test'), { recursive: true, encoding: 'utf8' })
  .map((path) => `test/${path.replaceAll('\\', '/')}`)
  .filter((path) => path.endsWith('.test.ts') && !runsApart.test(path))
const onTransport = tests.filter((path) =>
  usesTransport.test(readFileSync(join(root, path), 'utf8')),
)

const over = (name: 'in-process' | 'http', include: string[]) => ({
  extends: true as const,
  test: { name, provide: { transport: name }, include },
})

/** Tests that replace what intercepts the requests of a process: each file has a process of its own. */
const interceptions = ['beside', 'missing-requests', 'obstacles'].map(
  (name) => `test/integrations/testing/${name}.test.ts`,
)
const isolated = {
  extends: true as const,
  test: { name: 'isolated', include: interceptions, isolate: true },
}

/** Tests without a client. */
const unit = {
  extends: true as const,
  test: {
    name: 'unit',
    // A new file is found at the next start of Vitest.
    include: tests.filter((path) => !onTransport.includes(path)),
    exclude: interceptions,
  },
}

export default defineConfig({
  root,
  test: {
    // Importing MSW, Express and zod again for each file costs eight times the tests themselves. The source keeps no
    // module state, and only test/support opens servers.
    isolate: false,
    // The projects share the source without its types: each would strip them again.
    experimental: { fsModuleCache: true },
    // Vitest would leave one core idle. Most of the time goes into waiting for processes that start.
    maxWorkers: '100%',
    // Many files run at once, so a test of a second can take many.
    testTimeout: 30_000,
    hookTimeout: 30_000,
    expect: { poll: { timeout: 20_000, interval: 10 } },
    projects: [
      over(
        'in-process',
        onTransport.filter((path) => !usesHttp.test(path)),
      ),
      over(
        'http',
        onTransport.filter((path) => usesHttp.test(path)),
      ),
      unit,
      isolated,
    ],
  },
})

declare module 'vitest' {
  export interface ProvidedContext {
    transport: 'in-process' | 'http'
    /** The folder of the projects that install the package */
    consumers: string
  }
}
