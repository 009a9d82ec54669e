import { readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
import {
  BaseSequencer,
  type PoolOptions,
  type TestProject,
  type TestSpecification,
  ThreadsPoolWorker,
  type WorkerRequest,
} from 'vitest/node'
import config, { once } from './vitest.config.ts'

/** The folders and files of test that run for each mutant: .tools/mutation.mjs sets them. */
const folders = process.env.MUTATION_TESTS?.split(',') ?? []

const root = fileURLToPath(new URL('..', import.meta.url))

/** The calls of tests that need a process of their own: for another process, a server, or modules that load again. */
const startsApart =
  /\b(spawnSync|contend|listen|createServer|setupServer|intercept|startHttpServer|resetModules)\(/

type Listener = Parameters<ThreadsPoolWorker['on']>

/**
 * A thread that tests many mutants. Vitest would start one for each, and import the source again: that takes longer
 * than the tests.
 */
class WarmThread extends ThreadsPoolWorker {
  private runs = 0
  private listeners: Listener[] = []
  /** Whether the thread goes on after the run: it grows with each run. */
  isWarm = true

  override on(...listener: Listener) {
    this.listeners.push(listener)
    super.on(...listener)
  }

  override async start() {
    this.runs += 1
    this.isWarm = false
    if (this.runs === 1) await super.start()
  }

  /** Answers Vitest's request to stop in place of the thread. */
  override send(message: WorkerRequest) {
    this.isWarm = message.type === 'stop' && this.runs < 50
    if (!this.isWarm) return super.send(message)
    const stopped = { type: 'stopped', __vitest_worker_response__: true }
    for (const [event, listener] of this.listeners) if (event === 'message') listener(stopped)
  }

  override async stop() {
    for (const listener of this.listeners.splice(0)) super.off(...listener)
    if (!this.isWarm) await super.stop()
  }
}

let thread: WarmThread | undefined

const warmThread = {
  name: 'warm-thread',
  createPoolWorker: (options: PoolOptions) => {
    if (!thread?.isWarm) thread = new WarmThread(options)
    return thread
  },
}

/** A plugin, since Stryker sets the pool `threads` itself. */
const useWarmThread = {
  name: warmThread.name,
  configureVitest: ({ project }: { project: TestProject }) => {
    Object.assign(project.config, { pool: warmThread.name, poolRunner: warmThread, maxWorkers: 1 })
  },
}

/** The first failure ends a run: first the files that failed for the mutant before, then the fast ones. */
class FailuresFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const milliseconds = ({ moduleId }: TestSpecification) => {
      const path = relative(this.ctx.config.root, moduleId)
      const result = this.ctx.cache.getFileTestResults(`${mutation.test.name}:${path}`)
      return result?.failed ? 0 : (result?.duration ?? 60_000)
    }
    return files.toSorted((one, other) => milliseconds(one) - milliseconds(other))
  }
}

/** The tests that npm run mutation runs for each mutant: they need no process, and few a server. */
const mutation = {
  extends: true as const,
  plugins: [useWarmThread],
  test: {
    name: 'mutation',
    setupFiles: ['test/support/load-source.ts', 'test/support/end-after-failure.ts'],
    // Stryker copies its setup file below node_modules. Vitest would run it for the first file of a thread only, and
    // Stryker would not know which mutants the other files reach.
    server: { deps: { inline: [/stryker-setup/] } },
    // Instrumented code is slow, and some tests make thousands of random writes.
    testTimeout: 120_000,
    provide: { lane: 'in-process' as const, isChecked: false },
    include: folders.map((path) => `test/${path}${path.endsWith('.ts') ? '' : '/**/*.test.ts'}`),
    exclude: [
      'test/**/*.slow.test.ts',
      // They generate requests until they find something that another test states.
      'test/laws/determinism.test.ts',
      ...once.filter((path) => startsApart.test(readFileSync(join(root, path), 'utf8'))),
    ],
  },
}

export default defineConfig({
  ...config,
  test: {
    ...config.test,
    projects: [mutation],
    sequence: { sequencer: FailuresFirst },
    // The code of one run is of no use to the next.
    experimental: {},
  },
})
