import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

const reporter = fileURLToPath(
  new URL('../../../../src/integrations/vitest/reporter.ts', import.meta.url),
)

const { REPORT: file = 'run.json', FAIL_ON = '' } = process.env
const failOn = FAIL_ON === '' ? [] : FAIL_ON.split(',')

export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  test: {
    include: ['*.example.ts'],
    retry: 1,
    maxWorkers: 2,
    reporters: ['dot', [reporter, { file, failOn }]],
  },
})
