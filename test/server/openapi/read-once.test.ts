import { readFile } from 'node:fs/promises'
import { expect, test, vi } from 'vitest'
import { serve } from '../../support/transports/start.ts'

vi.mock('node:fs/promises', { spy: true })

test('a document that could not be read is read again', async () => {
  const { ask } = await serve()
  const problem = new Error('EMFILE: too many open files')
  vi.mocked(readFile).mockRejectedValueOnce(problem)
  const printed = vi.spyOn(console, 'error').mockImplementation(() => {})

  const statuses = []
  for (const path of ['/openapi.json', '/openapi.json']) {
    statuses.push((await ask('GET', path, { key: null })).status)
  }

  expect(statuses).toEqual([500, 200])
  expect(printed.mock.calls).toEqual([[problem]])
})
