import { resolve } from 'node:path'
import { expect, test } from 'vitest'
import { readScenario, readWorld } from '../../../src/node.ts'
import { temporaryFile, temporaryFolder } from '../../support/files.ts'

test('invalid JSON is reported with its line and column, in every version of Node', async () => {
  const file = temporaryFile('{\n  "annotations": [],\n  "now": oops\n}')

  await expect(readWorld(file)).rejects.toThrow(
    `${file} is not valid JSON: line 3, column 10 (expected a value).`,
  )
  await expect(readScenario(file)).rejects.toThrow(
    `${file} is not valid JSON: line 3, column 10 (expected a value).`,
  )
})

test('a missing file is reported with its absolute path, and with the fixtures', async () => {
  await expect(readWorld('crowdd')).rejects.toThrow(
    'World crowdd not found: expected one of default, empty, odd, crowded, or a file (looked in ' +
      `${resolve('crowdd')}). Did you mean crowded?`,
  )
})

test('a folder is not a world', async () => {
  const folder = temporaryFolder()

  await expect(readWorld(folder)).rejects.toThrow(
    `Failed to read the world ${folder}: it is a folder.`,
  )
})

test('any other reason is given by its code', async () => {
  const path = `${temporaryFile('{}')}/world.json`

  await expect(readWorld(path)).rejects.toThrow(`Failed to read the world ${path}: ENOTDIR.`)
})

test('a scenario is not a world, and the error names the commands that read it', async () => {
  const file = temporaryFile({ title: 'A story', world: 'default', steps: [] })

  await expect(readWorld(file)).rejects.toThrow(
    `${file} is a scenario, not a world. Replay it: npx understudy-api replay ${file}, or npx understudy-api serve --recording ${file}.`,
  )
})

test('a HAR archive is not a world, and the error names the command that imports it', async () => {
  const file = temporaryFile({ log: { version: '1.2', entries: [] } })

  await expect(readWorld(file)).rejects.toThrow(
    `${file} is a HAR archive, not a world. Import it: npx understudy-api import ${file}`,
  )
})
