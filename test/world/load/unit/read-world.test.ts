import { expect, test } from 'vitest'
import { readScenario, readWorld } from '../../../../src/node.ts'
import { temporaryFile } from '../../../support/files.ts'

test('an error in JSON is reported with its line and column, on every version of Node', async () => {
  const file = temporaryFile('{\n  "annotations": [],\n  "now": oops\n}')

  const message = `${file} is not valid JSON: line 3, column 10 (Expecting value).`
  await expect(readWorld(file)).rejects.toThrow(message)
  await expect(readScenario(file)).rejects.toThrow(message)
})

test('a scenario in the place of a world is told to be one', async () => {
  const file = temporaryFile({ title: 'A story', world: 'default', steps: [] })

  await expect(readWorld(file)).rejects.toThrow(
    `Failed to read the world ${file}: expected a world, got a scenario. Replay it: understudy replay ${file}, or understudy serve --recording ${file}.`,
  )
})
