const project = (name, more) => ({ extends: true, test: { name, ...more } })
const inPool = (pool) => project(pool, { pool, include: ['{launch,annotations}.test.ts'] })

export default {
  test: {
    maxWorkers: 1,
    testTimeout: 30_000,
    reporters: ['default', ['understudy-api/vitest/reporter', { file: 'test-results/report.txt' }]],
    projects: [
      // One process for all files, which keeps what they import: nothing may depend on a file being the first one.
      project('one process', { isolate: false }),
      ...['forks', 'threads', 'vmForks', 'vmThreads'].map(inPool),
    ],
  },
}
