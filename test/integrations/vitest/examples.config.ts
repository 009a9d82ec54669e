import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

const reporter = fileURLToPath(
  new URL('../../../src/integrations/vitest/reporter.ts', import.meta.url),
)
const { REPORT: file, FAIL_ON } = process.env

export default defineConfig({
  test: {
    include: ['*.example.ts'],
    maxWorkers: 2,
    reporters: file ? ['dot', [reporter, { file, failOn: FAIL_ON?.split(',') ?? [] }]] : ['tree'],
  },
})
