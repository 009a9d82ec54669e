import fs from 'node:fs/promises'
import { expect, test, vi } from 'vitest'
import { replaceFs } from '../../support/replace-fs.ts'
import { serve } from '../../support/transports/start.ts'

test('a document that could not be read is read again', async () => {
  const { ask } = await serve()
  const problem = new Error('EMFILE: too many open files')
  const failOnce = vi.fn(fs.readFile).mockRejectedValueOnce(problem) as typeof fs.readFile
  replaceFs({ readFile: failOnce })
  const printed = vi.spyOn(console, 'error').mockImplementation(() => {})

  const statuses = []
  for (const path of ['/openapi.json', '/openapi.json']) {
    statuses.push((await ask('GET', path, { key: null })).status)
  }

  expect(statuses).toEqual([500, 200])
  expect(printed.mock.calls).toEqual([[problem]])
})
