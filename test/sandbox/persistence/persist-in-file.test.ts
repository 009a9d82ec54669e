import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { persistInFile } from '../../../src/node.ts'
import { createSimulator, type Simulator } from '../../../src/simulator.ts'
import { temporaryFolder } from '../../support/files.ts'
import { replaceFs } from '../../support/processes.ts'

/** Simulators share a clock, so that their worlds are equal. */
const start = () => createSimulator({ clock: '2024-06-15T12:00:00Z' })

const contentsOf = (simulator: Simulator) =>
  simulator.world.annotations.list().map(({ content }) => content)

const fails = (error: object) => async () => Promise.reject(error)

test('a restart resumes the world of the file', async () => {
  const file = join(temporaryFolder(), 'state.json')
  const first = start()
  const persistence = await persistInFile(first, file)
  first.world.annotations.create({ content: 'Before the restart' })
  const isSaved = await persistence.close()

  const second = start()
  const again = await persistInFile(second, file)

  expect(isSaved).toBe(true)
  expect(contentsOf(second)).toEqual(contentsOf(first))
  await again.close()
})

test('the start creates the file and its lock, and closing leaves the file only', async () => {
  const folder = temporaryFolder()
  const file = join(folder, 'state.json')

  const persistence = await persistInFile(start(), file)
  const names = readdirSync(folder)
  await persistence.close()

  expect(names).toEqual(['state.json', 'state.json.lock'])
  expect(readdirSync(folder)).toEqual(['state.json'])
  expect(readFileSync(file, 'utf8')).toBe([...start().world.toTexts()].join(''))
})

test('the start keeps a valid file as it is, and removes what a killed process left', async () => {
  const folder = temporaryFolder()
  const file = join(folder, 'state.json')
  const text = JSON.stringify(start().world)
  writeFileSync(file, text)
  writeFileSync(`${file}.5000000.tmp`, '{')

  const persistence = await persistInFile(start(), file)
  await persistence.close()

  expect(readFileSync(file, 'utf8')).toBe(text)
  expect(readdirSync(folder)).toEqual(['state.json'])
})

test('a change is unsaved until it is saved', async () => {
  const file = join(temporaryFolder(), 'state.json')
  const simulator = start()
  const persistence = await persistInFile(simulator, file)
  const before = simulator.persistence?.status

  simulator.world.annotations.create({ content: 'Mine' })
  const changed = simulator.persistence?.status
  const isSaved = await persistence.save()

  expect([before, changed, isSaved, simulator.persistence?.status]).toEqual([
    'saved',
    'unsaved',
    true,
    'saved',
  ])
  expect(readFileSync(file, 'utf8')).toContain('"Mine"')
  await persistence.close()
})

test('a change after closing is not saved', async () => {
  const simulator = start()
  const persistence = await persistInFile(simulator, join(temporaryFolder(), 'state.json'))
  await persistence.close()

  simulator.world.annotations.create({})

  expect(simulator.persistence?.status).toBe('saved')
})

test('a failed save is reported, and succeeds once its cause is gone', async () => {
  const folder = join(temporaryFolder(), 'states')
  const file = join(folder, 'state.json')
  mkdirSync(folder)
  const simulator = start()
  const errors: unknown[] = []
  const persistence = await persistInFile(simulator, file, (error) => errors.push(error))
  rmSync(folder, { recursive: true })

  simulator.world.annotations.create({ content: 'Mine' })
  const failed = await persistence.save()
  const status = simulator.persistence?.status
  mkdirSync(folder)
  const saved = await persistence.close()

  expect([failed, status, saved]).toEqual([false, 'failing', true])
  expect(errors.map(String)).toEqual([
    `UsageError: Failed to save the state file ${file}: its folder does not exist (ENOENT). Create the folder, or choose another file.`,
  ])
  expect(readFileSync(file, 'utf8')).toContain('"Mine"')
})

test('failed saves are printed by default', async () => {
  const print = vi.spyOn(console, 'error').mockImplementation(() => {})
  onTestFinished(() => print.mockRestore())
  const simulator = start()
  const persistence = await persistInFile(simulator, join(temporaryFolder(), 'state.json'))
  replaceFs({ rename: fails(new Error('no luck')) })

  simulator.world.annotations.create({})
  await persistence.close()

  expect(print.mock.calls.join()).toMatch(/Failed to save the state file .*: no luck\.$/)
})

test('a start that fails leaves no lock, and no file', async () => {
  const folder = temporaryFolder()
  const file = join(folder, 'state.json')
  replaceFs({ rename: fails({ code: 'ENOSPC' }) })

  await expect(persistInFile(start(), file)).rejects.toThrow(
    `Failed to save the state file ${file}: the disk is full (ENOSPC). Make room, or choose another file.`,
  )

  expect(readdirSync(folder)).toEqual([])
})

test.each([
  ['{', /^The state file .*state\.json is not valid JSON/],
  ['{"annotations":1}', /^Failed to read the state file .*state\.json\. It was not changed: fix/],
])('the file %s is no world: it stays as it is, without a lock', async (text, message) => {
  const folder = temporaryFolder()
  const file = join(folder, 'state.json')
  writeFileSync(file, text)

  await expect(persistInFile(start(), file)).rejects.toThrow(message)

  expect([readdirSync(folder), readFileSync(file, 'utf8')]).toEqual([['state.json'], text])
})

test('a folder cannot be read as a state', async () => {
  const file = temporaryFolder()

  await expect(persistInFile(start(), file)).rejects.toThrow(
    `Failed to read the state file ${file}: it is a folder (EISDIR). Choose a file.`,
  )
})

test('a file in a missing folder cannot be locked', async () => {
  const file = join(temporaryFolder(), 'missing', 'state.json')

  await expect(persistInFile(start(), file)).rejects.toThrow(
    `Failed to save the state file ${file}: its folder does not exist (ENOENT). Create the folder, or choose another file.`,
  )
})

test('a file that this process already uses is refused', async () => {
  const file = join(temporaryFolder(), 'state.json')
  const persistence = await persistInFile(start(), file)

  await expect(persistInFile(start(), file)).rejects.toThrow(
    /^Failed to open the state file .*: process \d+ uses it\./,
  )
  await persistence.close()
})

test('a world that is too long to be read again is refused', async () => {
  const folder = temporaryFolder()
  const file = join(folder, 'state.json')
  const world = { toTexts: () => ['x', 'x'.repeat(536_870_888)] }
  const simulator = { world, resume: () => {}, onChange: () => () => {} }

  await expect(persistInFile(simulator, file)).rejects.toThrow(
    /^Failed to save the state file .*: the world has more than 536870888 characters\. Use fewer rows\.$/,
  )

  expect(readdirSync(folder)).toEqual([])
})
