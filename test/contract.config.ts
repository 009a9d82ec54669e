import { defineConfig } from 'vitest/config'
import config, { lane } from './vitest.config.ts'

/** Tests of the validator itself. */
const validator = {
  extends: true as const,
  test: {
    name: 'validator',
    provide: { lane: 'http' as const, isChecked: true },
    include: ['test/server/openapi/contract.test.ts'],
  },
}

/** The lane http with a validator between client and server: test/support/lanes/contract.ts. */
export default defineConfig({
  ...config,
  test: { ...config.test, projects: [lane('http', { isChecked: true }), validator] },
})
