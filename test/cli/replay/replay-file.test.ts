import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { replayFile, toScenarioFiles } from '../../../src/cli/replay-file.ts'
import { Input } from '../../../src/utils/input.ts'
import { readWorld } from '../../../src/world/load/read-world.ts'
import { noon } from '../../support/api/paths.ts'
import { temporaryFile } from '../../support/files.ts'
import { serve } from '../../support/transports/start.ts'

/** Replays a file without a word. @returns also what was noted about it */
async function replayNamed(file: string, options: Partial<Parameters<typeof replayFile>[1]> = {}) {
  const [read] = await toScenarioFiles([new Input(file, readFileSync(file), false)])
  const notes: string[] = []
  const note = (sentence: string): void => void notes.push(sentence)
  const silent = (): void => {}
  const shown = { title: silent, step: silent, summary: silent, note, problem: note }
  const { signal } = new AbortController()
  const setup = { world: 'default', signal, ...options }
  const replayed = await replayFile(read as NonNullable<typeof read>, setup, {
    ...shown,
    follow: (work) => work,
  })
  return { ...replayed, notes }
}

const list = '/api/projects/1/annotations/'
const replace = (status: number) =>
  `{ "as": "all", "method": "PUT", "path": "${list}1/", "body": { "content": "New" }, "expect": { "status": ${status}, "body": { "id": { "$match": "id" } } } }`
const read = (expected: object) =>
  JSON.stringify({ as: 'all', method: 'GET', path: list, expect: { body: expected } })

test('an update writes what differs and the profile of the replay, so that the next replay passes', async () => {
  const story = (profile: string, status: number) =>
    `{\n  "title": "Story",\n  "world": "default",\n  "profile": "${profile}",\n  "steps": [${replace(status)}]\n}\n`
  const file = temporaryFile(story('documented', 405))

  const { notes } = await replayNamed(file, { profile: 'live', update: true })

  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual(JSON.parse(story('live', 200)))
  expect(notes).toEqual([
    `Updated ${file} to expect the actual responses. It now has the profile of this replay.`,
  ])
  expect(await replayNamed(file)).toMatchObject({ accepted: true })
})

test('an update writes the world of the replay into a file that names none', async () => {
  const named = temporaryFile(`{"title":"A","steps":[${read({ count: 9 })}]}`)
  const annotations = [{ deleted: false }, { deleted: false }]
  const world = await readWorld(temporaryFile({ annotations, generate: { projects: 1, users: 1 } }))
  // An editor of Windows wrote it.
  const rows = temporaryFile(
    `\uFEFF{\r\n  "title": "B",\r\n  "steps": [${read({ count: 9 })}]\r\n}`,
  )

  const { notes } = await replayNamed(named, { world: 'empty', profile: 'live', update: true })
  await replayNamed(rows, { world, update: true })

  expect(notes.join()).toContain(' It now has the profile and world of this replay.')
  const written = readFileSync(named, 'utf8')
  const parsed = JSON.parse(written)
  expect(parsed).toEqual({
    title: 'A',
    profile: 'live',
    world: 'empty',
    steps: [JSON.parse(read({ count: 0 }))],
  })
  expect(Object.keys(parsed)).toEqual(['title', 'profile', 'world', 'steps'])
  expect(written.endsWith('\n')).toBe(true)
  expect(JSON.parse(readFileSync(rows, 'utf8'))).toEqual({
    title: 'B',
    world,
    steps: [JSON.parse(read({ count: 2 }))],
  })
  for (const file of [named, rows]) expect((await replayNamed(file)).accepted).toBe(true)
})

test('an update leaves a file as it is if all steps pass, and keeps the world that it names', async () => {
  const passing = `{"title":"A","steps":[${read({ count: 6 })}]}`
  const file = temporaryFile(passing)
  const named = temporaryFile(`{"title":"A","world":"default","steps":[${read({ count: 9 })}]}`)

  await replayNamed(file, { profile: 'live', update: true })
  const { notes } = await replayNamed(named, { world: 'empty', update: true })
  const unnamed = temporaryFile(`{"title":"A","steps":[${read({ count: 9 })}]}`)
  await replayNamed(unnamed, { update: true })

  expect(readFileSync(file, 'utf8')).toBe(passing)
  expect(JSON.parse(readFileSync(unnamed, 'utf8'))).toEqual(JSON.parse(passing))
  expect(notes).toEqual([`Updated ${named} to expect the actual responses.`])
  expect(JSON.parse(readFileSync(named, 'utf8'))).toEqual({
    title: 'A',
    world: 'default',
    steps: [JSON.parse(read({ count: 6 }))],
  })
})

const hour = { advance: { hours: 1 } }

test.each([
  ['without a clock', {}, [], { $match: 'time' }],
  ['with a running clock', { clock: 'real' }, [], { $match: 'time' }],
  ['with a frozen clock', { clock: noon }, [], noon],
  ['with a clock that a step freezes', {}, [{ clock: '2024-06-15T11:00:00Z' }, hour], noon],
] as const)(
  'an update writes the times that a request sent or the world has, and others as it can repeat them: %s',
  async (_, head, before, created_at) => {
    const date_marker = '2024-06-01T00:00:00Z'
    const create = {
      ...{ as: 'all', method: 'POST', path: list, body: { content: 'Launch', date_marker } },
      expect: { body: { created_at: 'then', date_marker: 'then' } },
    }
    const look = {
      as: 'all',
      method: 'GET',
      path: `${list}1/`,
      expect: { body: { created_at: 0 } },
    }
    const steps = [...before, look, create]
    const world = await readWorld('default')
    const file = temporaryFile({ title: 'A', world, ...head, steps })

    await replayNamed(file, { update: true })

    const [looked, created] = JSON.parse(readFileSync(file, 'utf8')).steps.slice(-2)
    expect(looked.expect.body).toEqual({ created_at: '2024-06-03T09:00:01.123456Z' })
    expect(created.expect.body).toEqual({ created_at, date_marker })
    expect((await replayNamed(file)).accepted).toBe(true)
  },
)

/** A scenario that names no world, of the number of annotations. */
function countFile(count: number): string {
  const path = '/api/projects/1/annotations/'
  const step = { as: 'all', method: 'GET', path, expect: { body: { count } } }
  return temporaryFile({ title: 'Count', steps: [step] })
}

test('a file without a world is replayed in that of the options, and a difference says so', async () => {
  const target = (await serve()).origin
  const differing = await replayNamed(countFile(0))

  expect(differing.accepted).toBe(false)
  expect(differing.notes).toEqual([
    `${differing.file} names no world; replayed in "default". Use --world NAME if it started with another one.`,
  ])
  expect(await replayNamed(countFile(6))).toMatchObject({ accepted: true, notes: [] })
  for (const options of [{ world: 'empty' }, { world: 'empty', target }]) {
    expect(await replayNamed(countFile(0), options)).toMatchObject({ accepted: true, notes: [] })
  }
  const ofService = await replayNamed(countFile(0), { target, key: { key: 'phx_all' } })
  expect(ofService).toMatchObject({ accepted: false, notes: [] })
  const { notes } = await replayNamed(countFile(6), { world: 'empty' })
  expect(notes).toEqual([expect.stringContaining('replayed in "empty"')])
  await expect(replayNamed(countFile(6), { world: 'emtpy' })).rejects.toThrow(
    /Did you mean empty\?$/,
  )
})
