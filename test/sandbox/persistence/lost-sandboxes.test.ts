import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { expect, test } from 'vitest'
import { persistInFile } from '../../../src/node.ts'
import { createSimulator } from '../../../src/simulator.ts'
import { newStateFile, savedLines, startWithState } from '../../support/sandboxes-file.ts'

test('a client of a sandbox that could not be restored reads why, and its save stays', async () => {
  const file = newStateFile()
  const first = await startWithState(file)
  const { id, key } = first.sandboxes.create()
  await first.close()
  const saved = savedLines(file).find((line) => line.includes(`"id":"${id}"`))

  const other = createSimulator({ world: 'empty', explain: true })
  const second = await startWithState(file, other)
  const headers = { authorization: `Bearer ${key}` }
  const byKey = await other.fetch('/api/projects/1/annotations/', { headers })
  const byUrl = await other.fetch(`/__sandbox/${id}/api/projects/1/annotations/`)
  second.sandboxes.create()
  await second.close()

  const reason =
    'not restored, because the server started with another world than the one that it was created from'
  expect([byKey.status, await byKey.json()]).toEqual([
    401,
    {
      type: 'authentication_error',
      code: 'authentication_failed',
      detail: `Personal API key found in request Authorization header is invalid: it is a key of sandbox ${id}, which was ${reason}.`,
      attr: null,
    },
  ])
  expect(byKey.headers.get('understudy-why')).toBe(
    `401: it is a key of sandbox ${id}, which was ${reason}`,
  )
  expect([byUrl.status, await byUrl.json()]).toMatchObject([
    404,
    { detail: `Sandbox ${id} not found: it was ${reason}.` },
  ])
  expect(second.warnings).toEqual([
    `Sandbox ${id} was not restored from ${file}.sandboxes: the server started with another world than the one that ` +
      'it was created from. It stays in the file.',
  ])
  expect(savedLines(file)).toContain(saved)
  const third = await startWithState(file)
  expect(third.sandbox(id).keys.list()[0]?.value).toBe(key)
  await third.close()
})

test('a sandbox whose world replaced the one of the start says so', async () => {
  const file = newStateFile()
  const first = await startWithState(file)
  first.simulator.replaceWorld('empty')
  const { id } = first.sandboxes.create()
  await first.close()

  const { warnings, close } = await startWithState(file)

  expect(warnings).toEqual([
    `Sandbox ${id} was not restored from ${file}.sandboxes: the world that it was created from had replaced the world ` +
      'of the start. It stays in the file.',
  ])
  await close()
})

test('a save that was cut off leaves the save before it', async () => {
  const file = newStateFile()
  const first = await startWithState(file)
  const { id } = first.sandboxes.create()
  await first.save()
  const contents = first.sandbox(id).world.annotations.list().length
  first.sandbox(id).world.annotations.create({ content: 'Cut off' })
  await first.save()
  await first.close()
  const text = readFileSync(`${file}.sandboxes`, 'utf8')
  truncateSync(`${file}.sandboxes`, text.indexOf('Cut off'))

  const second = await startWithState(file)
  const restored = second.sandbox(id).world.annotations.list().length
  await second.close()
  const third = await startWithState(file)

  expect([restored, third.sandbox(id).world.annotations.list().length]).toEqual([
    contents,
    contents,
  ])
  expect([second.warnings, third.warnings]).toEqual([[], []])
  await third.close()
})

test('half a sandbox is named, and stays', async () => {
  const file = newStateFile()
  const first = await startWithState(file)
  const { id, key } = first.sandboxes.create()
  await first.close()
  const text = readFileSync(`${file}.sandboxes`, 'utf8')
  const half = text.slice(0, text.indexOf('"initial"'))
  writeFileSync(`${file}.sandboxes`, half)

  const second = await startWithState(file)
  const headers = { authorization: `Bearer ${key}` }
  const { status } = await second.simulator.fetch('/api/projects/1/annotations/', { headers })
  second.sandboxes.create()
  await second.close()

  expect(second.warnings).toEqual([
    `Sandbox ${id} was not restored from ${file}.sandboxes: its save is damaged. It stays in the file.`,
  ])
  expect(status).toBe(401)
  expect(readFileSync(`${file}.sandboxes`, 'utf8')).toContain(half)
})

test('a line that was changed by hand gives way to the line before it, and is named', async () => {
  const file = newStateFile()
  const first = await startWithState(file)
  const { id } = first.sandboxes.create()
  await first.save()
  first.sandbox(id).world.annotations.update(1, { content: 'Original' })
  await first.close()
  const text = readFileSync(`${file}.sandboxes`, 'utf8')
  writeFileSync(`${file}.sandboxes`, text.replace('Original', 'By hand!'))

  const second = await startWithState(file)

  expect(second.warnings).toEqual([
    `The last save of sandbox ${id} in ${file}.sandboxes is damaged. The save before it was restored.`,
  ])
  expect(second.sandbox(id).world.annotations.get(1)?.content).not.toBe('By hand!')
  await second.close()
})

const strangers: readonly [name: string, text: string, message: RegExp][] = [
  [
    'of a later version',
    '{"sandboxes_format":99,"world_format":1,"version":"9.0.0"}\n',
    /understudy-api 9\.0\.0 wrote it, in a format that version .* does not read\. .*It was not changed/,
  ],
  ['of another kind', '{}\n', /its first line names no sandboxes_format\. It was not changed/],
]

test.each(strangers)('a file %s is refused, and does not change', async (_name, text, message) => {
  const file = newStateFile()
  writeFileSync(`${file}.sandboxes`, text)

  await expect(persistInFile(createSimulator(), file)).rejects.toThrow(message)

  expect(readFileSync(`${file}.sandboxes`, 'utf8')).toBe(text)
  expect([existsSync(file), existsSync(`${file}.lock`)]).toEqual([false, false])
})

test('a file that grew is written anew with the latest states, and what could not be restored', async () => {
  const file = newStateFile()
  const first = await startWithState(file)
  const { id } = first.sandboxes.create()
  await first.save()
  await first.close()
  appendFileSync(`${file}.sandboxes`, 'damaged\n')
  const second = await startWithState(file)
  const content = 'x'.repeat(400)
  for (let row = 0; row < 2_000; row++) second.sandbox(id).world.annotations.create({ content })

  const sizes: number[] = []
  for (let round = 0; round < 20; round++) {
    second.sandbox(id).world.annotations.update(1, { content: `Round ${round}` })
    await second.save()
    sizes.push(readFileSync(`${file}.sandboxes`).length)
  }
  await second.close()
  const third = await startWithState(file)

  expect(Math.max(...sizes)).toBeLessThan(12_000_000)
  expect(sizes.some((size, index) => size < (sizes[index - 1] ?? 0))).toBe(true)
  expect(savedLines(file)).toContain('damaged')
  expect(third.sandbox(id).world.annotations.get(1)?.content).toBe('Round 19')
  expect(third.warnings).toEqual([
    `${file}.sandboxes has damaged lines that name no sandbox: 1. They stay in the file.`,
  ])
  await third.close()
})

test('a file that had grown before the start is written anew with the next save', async () => {
  const file = newStateFile()
  const first = await startWithState(file)
  const { id } = first.sandboxes.create()
  first.sandbox(id).addRows({ annotations: Array(2_000).fill({ content: 'x'.repeat(400) }) })
  await first.close()
  const state = `${savedLines(file).find((line) => line.includes(`"${id}"`))}\n`
  appendFileSync(`${file}.sandboxes`, state.repeat(10))
  const second = await startWithState(file)

  second.sandbox(id).world.annotations.update(1, { content: 'Launch' })
  await second.save()

  const { length } = readFileSync(`${file}.sandboxes`)
  expect([state.length > 800_000, length < 1.5 * state.length]).toEqual([true, true])
  await second.close()
  const third = await startWithState(file)
  expect(third.sandbox(id).world.annotations.get(1)?.content).toBe('Launch')
  await third.close()
})

test('a file that was removed is written anew', async () => {
  const file = newStateFile()
  const first = await startWithState(file)
  const { id } = first.sandboxes.create()
  await first.save()
  rmSync(`${file}.sandboxes`)

  first.sandboxes.create()
  await first.close()
  const second = await startWithState(file)

  expect(second.sandboxes.list().map((one) => one.id)).toEqual([id, 'sandbox-2'])
  await second.close()
})

test('a file that was removed before the end is no empty file', async () => {
  const file = newStateFile()
  const first = await startWithState(file)
  first.sandboxes.create()
  await first.save()
  rmSync(`${file}.sandboxes`)

  await first.close()

  expect(existsSync(`${file}.sandboxes`)).toBe(false)
})

test('an empty file is written without an error', async () => {
  const file = newStateFile()
  writeFileSync(`${file}.sandboxes`, '')
  const simulator = createSimulator()
  const errors: unknown[] = []
  const persistence = await persistInFile(simulator, file, (error) => errors.push(error))

  const { id } = simulator.sandboxes.create()
  await persistence.close()
  const second = await startWithState(file)

  expect(errors).toEqual([])
  expect(second.sandboxes.list().map((one) => one.id)).toEqual([id])
  await second.close()
})

test('saves that fail are reported once, also if sandboxes are created meanwhile', async () => {
  const file = newStateFile()
  const simulator = createSimulator()
  const errors: unknown[] = []
  const persistence = await persistInFile(simulator, file, (error) => errors.push(error))
  mkdirSync(`${file}.sandboxes`)

  simulator.sandboxes.create()
  simulator.sandboxes.create()
  await persistence.save()

  expect(errors.map(String)).toEqual([
    `UsageError: Failed to save the sandboxes of ${file}.sandboxes: it is a folder (EISDIR). Choose a file.`,
  ])
  rmSync(`${file}.sandboxes`, { recursive: true })
  expect(await persistence.close()).toBe(true)
})

test('if the sandboxes cannot be read, the world stays as it is, too', async () => {
  const file = newStateFile()
  const first = await startWithState(file)
  first.simulator.world.annotations.create({ content: 'Saved' })
  await first.close()
  writeFileSync(`${file}.sandboxes`, '{}\n')
  const simulator = createSimulator()
  const before = simulator.world.toJSON()

  await expect(persistInFile(simulator, file)).rejects.toThrow('names no sandboxes_format')

  expect(simulator.world.toJSON()).toEqual(before)
})

test('a clock of the machine that jumped back is named, and everything is restored', async () => {
  const file = newStateFile()
  const first = await startWithState(file)
  first.sandboxes.create()
  await first.close()
  const future = new Date(Date.now() + 7_200_000)
  utimesSync(`${file}.sandboxes`, future, future)

  const { warnings, sandboxes, close } = await startWithState(file)

  expect(warnings).toEqual([
    expect.stringMatching(
      /^The clock of this machine jumped back: .*state\.json\.sandboxes was saved at .*, and now it is /,
    ),
  ])
  expect(sandboxes.count).toBe(1)
  await close()
})
