import { beforeEach, expect } from 'vitest'
import { test } from '../../../../src/vitest.ts'

let runs = 0
beforeEach(() => {
  runs = 0
})

test('runs once', async ({ as }) => {
  runs++
  await as('all').fetch('/api/projects/')
  expect(runs, 'the page is not empty').toBe(1)
})
