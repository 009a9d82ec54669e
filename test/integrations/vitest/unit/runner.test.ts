import { expect, onTestFinished, test, vi } from 'vitest'

// An installed Vitest of another version would have to be a second one.
test('a Vitest without hooks around tests is named with its cure, without a stack', async () => {
  vi.doMock('vitest', () => ({ test, expect, aroundEach: undefined, TestRunner: undefined }))
  onTestFinished(() => void vi.doUnmock('vitest'))
  // Another copy of the module: other test files share the one without a query.
  const file: string = '../../../../src/integrations/vitest/runner.ts?beside-another-vitest'

  const error = await import(/* @vite-ignore */ file).catch((error) => error)

  const message =
    'understudy-api/vitest works with Vitest 4.1 and 5, and another version is installed. `npm ls vitest` shows it. Install one of them: npm install --save-dev vitest@4.1'
  expect([error.name, error.message]).toEqual(['UsageError', message])
  expect(error.stack).toBe(`UsageError: ${message}`)
})
