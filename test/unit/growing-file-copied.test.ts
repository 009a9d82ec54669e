import { readFileSync } from 'node:fs'
import { expect, test, vi } from 'vitest'
import { GrowingFile } from '../../src/cli/recording/growing-file.ts'
import { temporaryFile } from '../support/files.ts'

vi.mock('node:fs', async (load) => ({
  ...(await load<typeof import('node:fs')>()),
  linkSync() {
    throw Object.assign(new Error('no links here'), { code: 'EPERM' })
  },
}))

test('where a file system has no links, the file is whole at any moment as well', () => {
  const path = temporaryFile('')
  const file = new GrowingFile(path, '[', '\n]\n')

  file.put(new Map([[0, '1']]))
  const first = readFileSync(path, 'utf8')
  file.put(new Map([[1, '2']]))
  file.close()

  expect([first, readFileSync(path, 'utf8')]).toEqual(['[\n1\n]\n', '[\n1,\n2\n]\n'])
})
