import { test } from '../../../../src/vitest.ts'

test('is late', { timeout: 20 }, async ({ as }) => {
  await as('all').fetch('/api/projects/')
  await new Promise((resolve) => setTimeout(resolve, 60))
})
