import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import fs from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { persistInFile } from '../../../src/node.ts'
import { createSimulator, type Simulator } from '../../../src/simulator/simulator.ts'
import { temporaryFolder } from '../../support/files.ts'
import { replaceFs } from '../../support/replace-fs.ts'

/** Simulators share a clock, so that their worlds are equal. */
const start = () => createSimulator({ clock: '2024-06-15T12:00:00Z' })

const contentsOf = (simulator: Simulator) =>
  simulator.world.annotations.list().map(({ content }) => content)

const fails = (error: object) => async () => Promise.reject(error)

/** A simulator whose world is saved in a file of a new folder. */
async function open(file = join(temporaryFolder(), 'state.json')) {
  const simulator = start()
  const errors: unknown[] = []
  const persistence = await persistInFile(simulator, file, (error) => errors.push(error))
  return { file, folder: dirname(file), simulator, errors, persistence }
}

test('the start creates the file, and a restart resumes its world', async () => {
  const first = await open()
  const text = readFileSync(first.file, 'utf8')
  first.simulator.world.annotations.add({ content: 'Before the restart' })
  const isSaved = await first.persistence.close()

  const second = await open(first.file)

  expect([text, isSaved]).toEqual([start().world.toText(), true])
  expect(contentsOf(second.simulator)).toEqual(contentsOf(first.simulator))
  await second.persistence.close()
})

test('the start keeps a valid file as it is', async () => {
  const folder = temporaryFolder()
  const text = JSON.stringify(start().world)
  writeFileSync(join(folder, 'state.json'), text)

  const { file, persistence } = await open(join(folder, 'state.json'))
  await persistence.close()

  expect(readFileSync(file, 'utf8')).toBe(text)
  expect(readdirSync(folder)).toEqual(['state.json'])
})

test('changes of a moment have one save, and those during it the next one', async () => {
  const { simulator, persistence } = await open()
  const { rename } = fs
  const saved: number[] = []
  const renameAndChange = async (from: string, to: string) => {
    if (saved.length === 0) simulator.world.annotations.add({ content: 'During the save' })
    saved.push(JSON.parse(readFileSync(from, 'utf8')).annotations.length)
    await rename(from, to)
  }
  replaceFs({ rename: renameAndChange as typeof rename })

  for (const content of ['One', 'Two']) simulator.world.annotations.add({ content })
  await expect.poll(() => saved).toEqual([10, 11])
  await persistence.close()

  expect(saved).toEqual([10, 11])
})

test('a change during the last save is saved, too', async () => {
  const { file, simulator, persistence } = await open()
  const { rename } = fs
  let closing: Promise<boolean> | undefined
  const renameAndClose = async (from: string, to: string) => {
    if (!closing) simulator.world.annotations.add({ content: 'Last' })
    closing ??= persistence.close()
    await rename(from, to)
  }
  replaceFs({ rename: renameAndClose as typeof rename })

  simulator.world.annotations.add({ content: 'First' })
  await expect.poll(() => closing).toBeDefined()

  expect(await closing).toBe(true)
  expect(readFileSync(file, 'utf8')).toContain('"Last"')
})

test('a change after closing is not saved', async () => {
  const { file, simulator, persistence } = await open()
  await persistence.close()
  const text = readFileSync(file, 'utf8')

  simulator.world.annotations.add({})

  expect(await persistence.close()).toBe(true)
  expect(readFileSync(file, 'utf8')).toBe(text)
})

/** A simulator whose first save failed: the folder of its file is gone. */
async function startWithoutFolder() {
  const opened = await open()
  rmSync(opened.folder, { recursive: true })
  opened.simulator.world.annotations.add({ content: 'Mine' })
  await expect.poll(() => opened.errors).toHaveLength(1)
  return opened
}

test('a failed save is reported, and tried again at the end', async () => {
  const { folder, file, errors, persistence } = await startWithoutFolder()

  mkdirSync(folder)
  const saved = await persistence.close()

  expect(saved).toBe(true)
  expect(errors.map(String)).toEqual([
    `UsageError: Failed to save the state file ${file}: its folder does not exist (ENOENT). Create the folder, or choose another file.`,
  ])
  expect(readFileSync(file, 'utf8')).toContain('"Mine"')
})

test('a failed save is tried again without another change, and reported once until one succeeds', async () => {
  const { folder, file, errors, persistence, simulator } = await startWithoutFolder()
  mkdirSync(folder)
  await expect.poll(() => existsSync(file) && readFileSync(file, 'utf8')).toContain('"Mine"')

  rmSync(folder, { recursive: true })
  simulator.world.annotations.add({ content: 'Again' })
  await expect.poll(() => errors).toHaveLength(2)

  expect([await persistence.close(), errors.length]).toEqual([false, 2])
})

test('a file that another program changed is not overwritten, until it is moved away', async () => {
  const { file, simulator, errors, persistence } = await open()
  utimesSync(file, 1_700_000_000, 1_700_000_000)
  const saved = await persistence.close()
  const again = await persistInFile(simulator, file, (error) => errors.push(error))
  const other = '{"annotations": []}'.padEnd(readFileSync(file).length)
  writeFileSync(file, other)
  utimesSync(file, 1_700_000_600, 1_700_000_600)

  simulator.world.annotations.add({ content: 'Mine' })
  await expect.poll(() => errors).toHaveLength(1)
  const kept = readFileSync(file, 'utf8')
  rmSync(file)

  expect([saved, kept]).toEqual([true, other])
  expect(errors.map(String)).toEqual([
    `UsageError: The state file ${file} was changed by another program: it is of 2023-11-14T22:23:20.000Z, not of 2023-11-14T22:13:20.000Z as this server saved or read it. ` +
      'It is not overwritten. Move it away to save the world of this server, or restart the server to continue with the file.',
  ])
  expect(await again.close()).toBe(true)
  expect(readFileSync(file, 'utf8')).toContain('"Mine"')
})

test('a file that another program changes during a save is not overwritten', async () => {
  const { file, folder, simulator, persistence } = await open()
  const { open: openFile } = fs
  const other = '{"annotations": []}'
  replaceFs({
    async open(...args) {
      writeFileSync(file, other)
      return openFile(...args)
    },
  })

  simulator.world.annotations.add({ content: 'Mine' })
  const saved = await persistence.close()

  expect([saved, readFileSync(file, 'utf8'), readdirSync(folder)]).toEqual([
    false,
    other,
    ['state.json'],
  ])
})

test('of two simulators of one process that share a file, one saves, and the other says that it does not', async () => {
  const one = await open()
  const other = await open(one.file)
  const opened = [one, other]
  const change = (content: string) =>
    opened.map(({ simulator }) => simulator.world.annotations.add({ content }))
  const contents = () => readFileSync(one.file, 'utf8')
  // In the same moment, both may save: the second one wins.
  change('Mine')
  await expect.poll(contents).toContain('Mine')
  change('Again')
  await expect.poll(contents).toContain('Again')
  const saved = await Promise.all(opened.map(({ persistence }) => persistence.close()))

  expect(saved.toSorted()).toEqual([false, true])
  expect(opened.map(({ errors }) => errors.length > 0)).toEqual(saved.map((isSaved) => !isSaved))
  for (const error of opened.flatMap(({ errors }) => errors))
    expect(String(error)).toContain('was changed by another program')
  expect(readdirSync(one.folder)).toEqual(['state.json'])
})

test('failed saves are printed by default', async () => {
  const print = vi.spyOn(console, 'error').mockImplementation(() => {})
  const simulator = start()
  const persistence = await persistInFile(simulator, join(temporaryFolder(), 'state.json'))
  replaceFs({ rename: fails(new Error('no luck')) })

  simulator.world.annotations.add({})
  await persistence.close()

  expect(print.mock.calls.join()).toMatch(/Failed to save the state file .*: no luck\.$/)
})

test.each([
  [
    '{',
    'The state file FILE is not valid JSON: it ends in line 1, column 2. It was not changed: fix it, or move it away to start with a new world.',
  ],
  [
    '{"annotations":1}',
    'Failed to read the state file FILE. It was not changed: fix it, or move it away to start with a new world.\nFailed to load the world: 1 problem. Nothing was loaded.\n  annotations: expected array, got 1',
  ],
])('the file %s is no world: it stays as it is', async (text, message) => {
  const folder = temporaryFolder()
  const file = join(folder, 'state.json')
  writeFileSync(file, text)

  await expect(persistInFile(start(), file)).rejects.toThrow(message.replace('FILE', file))

  expect([readdirSync(folder), readFileSync(file, 'utf8')]).toEqual([['state.json'], text])
})

test.each([
  ['read as a state', '', 'read the state file FILE: it is a folder (EISDIR). Choose a file.'],
  [
    'written: its folder is missing',
    '/missing/state.json',
    'save the state file FILE: its folder does not exist (ENOENT). Create the folder, or choose another file.',
  ],
])('a path cannot be %s', async (_, path, message) => {
  const file = temporaryFolder() + path

  await expect(open(file)).rejects.toThrow(`Failed to ${message.replace('FILE', file)}`)
})
