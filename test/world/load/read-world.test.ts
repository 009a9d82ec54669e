import { writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import defaultWorld from '../../../fixtures/default.json' with { type: 'json' }
import { readScenario, readWorld } from '../../../src/node.ts'
import { temporaryFile, temporaryFolder } from '../../support/files.ts'

test('invalid JSON is reported with its line and column, in every version of Node', async () => {
  const file = temporaryFile('{\n  "annotations": [],\n  "now": oops\n}')

  const message = `${file} is not valid JSON: unexpected "o" in line 3, column 10.`
  for (const read of [readWorld, readScenario]) await expect(read(file)).rejects.toThrow(message)
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

test('a world is generated with a seed, and each reader has its own copy', async () => {
  const file = temporaryFile({ seed: 7, generate: { annotations: 1 } })

  const generated = await readWorld(file, 8)
  Object.assign(await readWorld('default'), { annotations: [] })

  expect(generated.seed).toBe(8)
  expect((await readWorld('default')).annotations).toHaveLength(8)
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
  expect(await readWorld(temporaryFile(content))).toEqual(world)
})

test.each([
  ['a world in Latin-1', readWorld, Buffer.from(text, 'latin1')],
  ['a world in UTF-16', readWorld, Buffer.from(`\ufeff${text}`, 'utf16le')],
  ['a scenario', readScenario, Buffer.from('{"title":"Für","steps":[]}', 'latin1')],
])('%s that is not UTF-8 is refused', async (_, read, bytes) => {
  const file = temporaryFile('')
  writeFileSync(file, bytes)

  await expect(read(file)).rejects.toThrow(
    `${file} is not UTF-8. Save it as UTF-8, or choose another file.`,
  )
})

test.each([
  ['crowdd', ' Did you mean "crowded"?'],
  ['nowhere', ''],
])('the name %s of no world is an error with the names and the path', async (name, suggestion) => {
  const failure = await readWorld(name).catch(({ message }) => message)

  expect(failure).toBe(
    `World ${name} not found: expected one of default, empty, odd, crowded, or a file (looked in ${resolve(name)}).${suggestion}`,
  )
})

test.each([
  ['a folder', temporaryFolder, 'it is a folder (EISDIR). Choose a file.'],
  [
    'a path below a file',
    () => `${temporaryFile('{}')}/world.json`,
    'part of its path is a file (ENOTDIR). Choose another file.',
  ],
])('%s is not a world', async (_, create, message) => {
  const path = create()

  await expect(readWorld(path)).rejects.toThrow(`Failed to read the world ${path}: ${message}`)
})

const asScenario =
  'is a scenario, not a world. Replay it: npx understudy-api replay FILE, or npx understudy-api serve --scenario FILE.'

test.each([
  ['a scenario', { title: 'A story', world: 'default', steps: [] }, asScenario],
  ['a scenario without steps', { title: 'A story' }, asScenario],
  [
    'a HAR archive',
    { log: { version: '1.2', entries: [] } },
    'is a HAR archive, not a world. Import it: npx understudy-api import FILE',
  ],
])('%s is no world, and the error says what to do with it', async (_, content, message) => {
  const file = join(temporaryFolder({ 'Archive [1].json': content }), 'Archive [1].json')

  await expect(readWorld(file)).rejects.toThrow(
    `${file} ${message.replaceAll('FILE', `'${file}'`)}`,
  )
})
