import { http } from 'msw'
import { expect, onTestFinished, test, vi } from 'vitest'
import { createSimulator } from '../../src/index.ts'

test('an earlier msw, which takes no function as a path, is named with its cure', () => {
  const all = vi.spyOn(http, 'all').mockImplementation(() => {
    throw new TypeError('path.endsWith is not a function')
  })
  onTestFinished(() => all.mockRestore())

  expect(() => createSimulator().handlers).toThrow(
    'Failed to handle requests: expected msw 2.12 or newer, or 3, got an earlier one. Run npm install --save-dev msw@2.',
  )
})
