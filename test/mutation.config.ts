import { defineConfig } from 'vitest/config'
import config from './vitest.config.ts'

/** The folders and files of test that run for each mutant: .tools/mutation.mjs sets them. */
const folders = process.env.MUTATION_TESTS?.split(',') ?? []

/** The tests that npm run mutation runs for each mutant: they need neither a socket nor a process. */
const mutation = {
  extends: true as const,
  test: {
    name: 'mutation',
    // Without isolation, Stryker knows only of some files which mutants their tests reach.
    isolate: true,
    provide: { lane: 'in-process' as const, isChecked: false },
    include: folders.map((path) => `test/${path}${path.endsWith('.ts') ? '' : '/**/*.test.ts'}`),
    exclude: [
      'test/**/*.slow.test.ts',
      // They start processes, or servers that the interceptor of the lane in-process would answer for.
      'test/world/persistence/unit/*.test.ts',
      'test/transport/unit/*.test.ts',
      'test/http/unit/unknown-paths.test.ts',
      'test/sandbox/journal/unit/followers.test.ts',
      'test/scenarios/{replay-server,run}/unit/*.test.ts',
      // They generate requests until they find something that another test states.
      'test/laws/determinism.test.ts',
    ],
  },
}

export default defineConfig({ ...config, test: { ...config.test, projects: [mutation] } })
