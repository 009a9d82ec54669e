import { writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { readFileState, watchFile } from '../../../src/cli/served-source.ts'
import { temporaryFile } from '../../support/files.ts'

test('a change between reading and watching a file counts', async () => {
  const file = temporaryFile('{"title": "before"}')
  const state = readFileState(file)
  const changes: string[] = []

  writeFileSync(file, '{"title": "after it"}')
  const stop = await watchFile(state, async () => void changes.push('changed'))
  await stop()

  expect(changes).toEqual(['changed'])
})

test('an unchanged file does not count as changed', async () => {
  const file = temporaryFile('{"title": "before"}')
  const changes: string[] = []

  const stop = await watchFile(readFileState(file), async () => void changes.push('changed'))
  await stop()

  expect(changes).toEqual([])
})
