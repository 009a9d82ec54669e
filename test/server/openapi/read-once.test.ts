import { readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { expect, test, vi } from 'vitest'
import { serve } from '../../support/transports/start.ts'

vi.mock('node:fs', { spy: true })
vi.mock('node:fs/promises', { spy: true })

test('a server reads a document when it is asked for, once, and never while others wait', async () => {
  const { ask } = await serve()
  vi.mocked(readFileSync).mockClear()
  const get = (path: string) => ask('GET', path, { key: null })

  const both = await Promise.all([get('/openapi.json'), get('/openapi.json')])
  const again = await get('/openapi.json')

  expect(both).toEqual([again, again])
  const read = vi.mocked(readFile).mock.calls.map(([file]) => String(file))
  expect(read).toEqual([expect.stringMatching(/src\/api\/openapi\.json$/)])
  expect(readFileSync).not.toHaveBeenCalled()
})

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
