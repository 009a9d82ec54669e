import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

const reporter = fileURLToPath(
  new URL('../../../../src/integrations/vitest/reporter.ts', import.meta.url),
)

export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  test: {
    include: ['*.example.ts'],
    reporters: process.env.REPORTER ? ['dot', reporter] : ['dot'],
  },
})
