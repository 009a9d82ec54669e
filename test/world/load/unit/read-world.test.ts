import { expect, test } from 'vitest'
import { readScenario, readWorld } from '../../../../src/node.ts'
import { temporaryFile } from '../../../support/files.ts'

test('a fault of JSON is told with its line and its column, whatever the version of Node', async () => {
  const file = temporaryFile('{\n  "annotations": [],\n  "now": oops\n}')

  await expect(readWorld(file)).rejects.toThrow(
    `Failed to read the world ${file}: expected JSON, got a text that is none (Expecting value: line 3 column 10). Mend the file.`,
  )
  await expect(readScenario(file)).rejects.toThrow(
    `Failed to read ${file}: expected a scenario as JSON, got a text that is none (Expecting value: line 3 column 10). Mend the file.`,
  )
})

test('a scenario in the place of a world is told to be one', async () => {
  const file = temporaryFile({ title: 'A story', world: 'default', steps: [] })

  await expect(readWorld(file)).rejects.toThrow(
    `Failed to read the world ${file}: expected a world, got a scenario. Replay it: understudy replay ${file}, or understudy serve --recording ${file}.`,
  )
})
