import { expect, test, vi } from 'vitest'
import { createSimulator } from '../../src/index.ts'

vi.mock('msw', async (load) => ({
  ...(await load<typeof import('msw')>()),
  // As before 2.12.
  http: { all: (path: string) => path.endsWith('?') },
}))

test('an earlier msw is named with its cure', () => {
  expect(() => createSimulator().handlers).toThrow(
    'Failed to handle requests: expected msw 2.12 or newer, or 3, got an earlier one. Run npm install --save-dev msw@2.',
  )
})
