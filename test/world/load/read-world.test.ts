import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import defaultWorld from '../../../fixtures/default.json' with { type: 'json' }
import { readScenario, readWorld } from '../../../src/node.ts'
import { temporaryFile, temporaryFolder } from '../../support/files.ts'

test('invalid JSON is reported with its line and column, in every version of Node', async () => {
  const file = temporaryFile('{\n  "annotations": [],\n  "now": oops\n}')

  await expect(readWorld(file)).rejects.toThrow(
    `${file} is not valid JSON: Expecting value: line 3 column 10 (char 32).`,
  )
  await expect(readScenario(file)).rejects.toThrow(
    `${file} is not valid JSON: Expecting value: line 3 column 10 (char 32).`,
  )
})

test('a fixture that a scenario names is read with it', async () => {
  const file = temporaryFile({
    title: 'A story',
    world: 'odd',
    seed: 7,
    steps: [{ reset: true }],
  })

  const { world } = await readScenario(file, { inlineWorld: true })

  expect(world).toEqual(await readWorld('odd'))
})

const annotations = Array.from({ length: 20 }, (_, index) => ({
  ...defaultWorld.annotations[0],
  id: index + 1,
  content: `Für ${index}`,
}))
const world = { ...defaultWorld, next_ids: {}, annotations }
const text = JSON.stringify(world)

test.each([
  ['on many lines', JSON.stringify(world, null, 2)],
  ['with the line ends of Windows', JSON.stringify(world, null, 2).replaceAll('\n', '\r\n')],
  ['with a byte order mark', `\ufeff${text}`],
  ['with escaped characters', text.replaceAll('ü', '\\u00fc')],
])('a file %s is read', async (_, content) => {
  const file = writeBytes(content)

  expect(await readWorld(file)).toEqual(world)
})

test.skipIf(process.platform === 'win32')('a pipe is read', async () => {
  const pipe = join(temporaryFolder(), 'pipe')
  execFileSync('mkfifo', [pipe])
  const written = writeFile(pipe, text)

  expect(await readWorld(pipe)).toEqual(world)
  await written
})

function writeBytes(content: string): string {
  const file = temporaryFile('')
  writeFileSync(file, content)
  return file
}

const latin1 = Buffer.from(text, 'latin1')

test.each([
  ['world.json', latin1],
  ['world.json', Buffer.from(`\ufeff${text}`, 'utf16le')],
])('a file %s that is not UTF-8 is refused', async (name, bytes) => {
  const file = join(temporaryFolder({}), name)
  writeFileSync(file, bytes)
  const message = `${file} is not UTF-8. Save it as UTF-8, or choose another file.`

  await expect(readWorld(file)).rejects.toThrow(message)
})

test('a scenario that is not UTF-8 is refused', async () => {
  const file = join(temporaryFolder({}), 'story.json')
  writeFileSync(file, Buffer.from('{"title":"Für","steps":[]}', 'latin1'))
  const message = `${file} is not UTF-8. Save it as UTF-8, or choose another file.`

  await expect(readScenario(file)).rejects.toThrow(message)
})

test.each([
  ['crowdd', ' Did you mean crowded?'],
  ['nowhere', ''],
])('the name %s of no world is an error with the names and the path', async (name, suggestion) => {
  const failure = await readWorld(name).catch(({ message }) => message)

  expect(failure).toBe(
    `World ${name} not found: expected one of default, empty, odd, crowded, or a file (looked in ${resolve(name)}).${suggestion}`,
  )
})

test('a folder is not a world', async () => {
  const folder = temporaryFolder()

  await expect(readWorld(folder)).rejects.toThrow(
    `Failed to read the world ${folder}: it is a folder (EISDIR). Choose a file.`,
  )
})

test('a path below a file is not a world', async () => {
  const path = `${temporaryFile('{}')}/world.json`

  await expect(readWorld(path)).rejects.toThrow(
    `Failed to read the world ${path}: part of its path is a file (ENOTDIR). Choose another file.`,
  )
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

test('a list of rows is no world, and the message says how to name it', async () => {
  const file = temporaryFile([{ content: 'Launch' }])

  await expect(readWorld(file)).rejects.toThrow(
    `${file} is a list, not a world. Name the list and complete its rows: {"annotations": […], "generate": {}}.`,
  )
})

test.each([
  ['.json', { count: 1, next: null, previous: null, results: [{ id: 1, insight_name: null }] }],
  ['.json', { annotations: [{ id: 1, insight_name: null }] }],
])('a response of the API in a %s file is no world: %j', async (extension, content) => {
  const file = join(temporaryFolder({ [`rows${extension}`]: content }), `rows${extension}`)

  await expect(readWorld(file)).rejects.toThrow(
    `${file} has rows as the API returns them, not those of a world. Import a HAR archive of the responses: npx understudy-api import session.har. In a world, created_by is the id of a user, and insight_name belongs to the dashboard item.`,
  )
})
