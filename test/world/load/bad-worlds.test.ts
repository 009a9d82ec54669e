import { expect, test } from 'vitest'
import { generate } from '../../../src/factories.ts'
import { createSimulator } from '../../../src/simulator/simulator.ts'
import { UsageError } from '../../../src/utils/errors.ts'
import type { WorldJson } from '../../../src/world/world-json.ts'
import { errorOf } from '../../support/errors.ts'
import { worlds } from './bad-worlds.table.ts'

test.each(worlds)(
  'a world with %s is refused, with every issue and its path',
  (_, world, issues) => {
    const error = errorOf(() => createSimulator({ world: world as WorldJson }))

    expect(error).toBeInstanceOf(UsageError)
    expect(error.issues).toEqual(issues)
    const count = issues.length === 1 ? '1 problem' : `${issues.length} problems`
    const [head, ...lines] = error.message.split('\n')
    expect(head).toMatch(`Failed to load the world: ${count}. Nothing was loaded.`)
    expect(lines).toEqual(issues.map((issue) => `  ${issue}`))
  },
)

test('missing fields of rows are issues, unless the factories complete the world', () => {
  const world = { annotations: [{ content: 'Launch', date_marker: 5 }] } as unknown as WorldJson
  const sparse = { annotations: [{ content: 'Launch' }] } as unknown as WorldJson

  const error = errorOf(() => createSimulator({ world }))
  const wrong = errorOf(() => createSimulator({ world: { annotations: 5 } as never }))
  const [entry] = createSimulator().world.toJSON().repository ?? []
  const nested = { repository: [{ ...entry, versions: [{}] }] } as never
  const within = errorOf(() => createSimulator({ world: nested }))
  const completed = createSimulator({ world: generate({ ...sparse, generate: {} }) })

  const hint = `Pass generate(world) of 'understudy-api/factories', or send "generate": {},`
  expect(error.message).toContain(`Nothing was loaded. ${hint}`)
  expect(error.issues).toContain('annotations[0].date_marker: expected string or null, got 5')
  expect(error.issues[0]).toBe('annotations[0].id: expected number, got nothing')
  expect(wrong.message).not.toContain('generate')
  expect(within.message).toMatch(/Nothing was loaded\.\n {2}repository\[0\]\.versions\[0\]/)
  expect(completed.world.annotations.list()).toMatchObject([{ content: 'Launch' }])
})

test.each([
  ['world.json', /Read the file first: world: await readWorld\(/],
  [
    'crowded',
    /Import crowded from 'understudy-api\/fixtures\/crowded\.json' and pass it, or in Node/,
  ],
])('the world %s is no built-in one, and the message says how to read it', (world, cure) => {
  expect(() => createSimulator({ world: world as never })).toThrow(cure)
})

test('a world that the factories must complete says so, whatever its rows lack', () => {
  const world = { annotations: [{ content: 'Launch' }], generate: {} } as unknown as WorldJson
  const wrong = { annotations: [{ content: 'Launch' }, { content: 5 }], generate: {} } as never

  const { message } = errorOf(() => createSimulator({ world }))
  const ofWrong = errorOf(() => createSimulator({ world: wrong }))

  expect(message).toBe(`Failed to load the world: 1 problem. Nothing was loaded.
  generate: the factories must complete this world first: createSimulator({ world: generate(world) }), with generate from 'understudy-api/factories'.`)
  expect(ofWrong.issues).toEqual(['annotations[1].content: expected string or null, got 5'])
})
