import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readWorld } from '../../../src/world/load/read-world.ts'
import { noon } from '../../support/api/paths.ts'
import { run } from '../../support/cli/command.ts'
import { temporaryFile, temporaryFolder } from '../../support/files.ts'

const list = '/api/projects/1/annotations/'
const replace = (status: number) =>
  `{ "as": "all", "method": "PUT", "path": "${list}1/", "body": { "content": "New" }, "expect": { "status": ${status}, "body": { "id": { "$match": "id" } } } }`
const read = (expected: object) =>
  JSON.stringify({ as: 'all', method: 'GET', path: list, expect: { body: expected } })

test('--update writes what differs and the profile of the replay, so that the next replay passes', async () => {
  const story = (profile: string, status: number) =>
    `{\n  "title": "Story",\n  "world": "default",\n  "profile": "${profile}",\n  "steps": [${replace(status)}]\n}\n`
  const file = temporaryFile(story('documented', 405))

  const { stdout } = await run(['replay', file, '--profile', 'live', '--update'])

  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual(JSON.parse(story('live', 200)))
  expect(stdout).toContain(
    `  Updated ${file} to expect the actual responses. It now has the profile of this replay.\n`,
  )
  expect((await run(['replay', file])).code).toBe(0)
})

test('--update writes the world of --world into a file that names none', async () => {
  const named = temporaryFile(`{"title":"A","steps":[${read({ count: 9 })}]}`)
  const world = join(temporaryFolder(), 'world.json')
  const annotations = [{ deleted: false }, { deleted: false }]
  writeFileSync(world, JSON.stringify({ annotations, generate: { projects: 1, users: 1 } }))
  // An editor of Windows wrote it.
  const rows = temporaryFile(
    `\uFEFF{\r\n  "title": "B",\r\n  "steps": [${read({ count: 9 })}]\r\n}`,
  )

  const flags = ['--profile', 'live', '--update']
  const { stdout } = await run(['replay', named, '--world', 'empty', ...flags])
  await run(['replay', rows, '--world', world, '--update'])
  const plain = temporaryFile(`{"title":"C","steps":[${read({ count: 9 })}]}`)
  await run(['replay', plain, '--update'])

  expect(stdout).toContain(' It now has the profile and world of this replay.\n')
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
    world: await readWorld(world),
    steps: [JSON.parse(read({ count: 2 }))],
  })
  expect(Object.keys(JSON.parse(readFileSync(plain, 'utf8')))).toEqual(['title', 'steps'])
  expect((await run(['replay', named, rows])).code).toBe(0)
})

test('--update leaves a file as it is if all steps pass, and keeps the world that it names', async () => {
  const passing = `{"title":"A","steps":[${read({ count: 6 })}]}`
  const file = temporaryFile(passing)
  const named = temporaryFile(`{"title":"A","world":"default","steps":[${read({ count: 9 })}]}`)

  await run(['replay', file, '--world', 'default', '--profile', 'live', '--update'])
  const { stdout } = await run(['replay', named, '--world', 'empty', '--update'])
  const unnamed = temporaryFile(`{"title":"A","steps":[${read({ count: 9 })}]}`)
  await run(['replay', unnamed, '--world', 'default', '--update'])

  expect(readFileSync(file, 'utf8')).toBe(passing)
  expect(JSON.parse(readFileSync(unnamed, 'utf8'))).toEqual(JSON.parse(passing))
  expect(stdout).toContain(`  Updated ${named} to expect the actual responses.`)
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
  '--update writes the times that a request sent, and others as it can repeat them: %s',
  async (_, head, before, created_at) => {
    const date_marker = '2024-06-01T00:00:00Z'
    const create = {
      ...{ as: 'all', method: 'POST', path: list, body: { content: 'Launch', date_marker } },
      expect: { body: { created_at: 'then', date_marker: 'then' } },
    }
    const file = temporaryFile({
      title: 'A',
      world: 'default',
      ...head,
      steps: [...before, create],
    })

    await run(['replay', file, '--update'])

    const step = JSON.parse(readFileSync(file, 'utf8')).steps.at(-1)
    expect(step.expect.body).toEqual({ created_at, date_marker })
    expect((await run(['replay', file])).code).toBe(0)
  },
)
