import { writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { readFileState, watchFile } from '../../../src/cli/serve/watch-file.ts'
import { temporaryFile } from '../../support/files.ts'

test('what changed between its reading and its watch is a change', async () => {
  const file = temporaryFile('{"title": "before"}')
  const seen = readFileState(file)
  const changes: string[] = []

  writeFileSync(file, '{"title": "after it"}')
  const watched = await watchFile(seen, async () => void changes.push('changed'))
  await watched.close()

  expect(changes).toEqual(['changed'])
})

test('what is as it was is none', async () => {
  const file = temporaryFile('{"title": "before"}')
  const changes: string[] = []

  const watched = await watchFile(readFileState(file), async () => void changes.push('changed'))
  await watched.close()

  expect(changes).toEqual([])
})
