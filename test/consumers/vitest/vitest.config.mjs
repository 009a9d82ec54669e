// One process for all files, which keeps what they import: nothing may depend on a file being the first one.
export default {
  test: {
    isolate: false,
    maxWorkers: 1,
    reporters: [
      'default',
      ['understudy-api/vitest/reporter', { file: 'test-results/report.html' }],
    ],
  },
}
