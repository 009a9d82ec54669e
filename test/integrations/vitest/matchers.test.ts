import { expect, test } from 'vitest'
import { connect, createSimulator, type Simulator } from '../../../src/index.ts'
import '../../../src/vitest.ts'
import { jsonHeaders } from '../../support/api/headers.ts'
import { annotationsPath } from '../../support/api/paths.ts'
import { root } from '../../support/cli/command.ts'
import { temporaryFile } from '../../support/files.ts'

const read = { title: 'read it', as: 'all', method: 'GET', path: `${annotationsPath}1/` }
const scenario = (expected: object, world = 'default') => ({
  title: 'A story',
  world,
  steps: [{ ...read, expect: expected }],
})

/** A simulator that received two requests: one creates an annotation, one lists all of them. */
async function simulatorWithRequests(): Promise<Simulator> {
  const simulator = createSimulator()
  const headers = jsonHeaders()
  await simulator.fetch(annotationsPath, { method: 'POST', headers, body: '{"content":"Lunch"}' })
  await simulator.fetch(annotationsPath, { headers })
  return simulator
}

/** The message of a matcher that should fail. */
async function failure(run: () => unknown): Promise<string> {
  try {
    await run()
  } catch (error) {
    return (error as Error).message
  }
  throw new Error('The matcher did not fail.')
}

test('a scenario passes, as a value or as a file', async () => {
  const simulator = createSimulator()
  const passing = scenario({ status: 200, body: { content: 'Release 1.0' } })

  await expect(simulator).toPassScenario(passing)
  await expect(simulator).toPassScenario(temporaryFile(passing))
  await expect(simulator).toPassScenario(temporaryFile(scenario({ status: '2xx' }, 'odd')))
  await expect(simulator).toPassScenario(`${root}scenarios/response-lost-after-create.json`)
})

test('a scenario is replayed in the present world, and changes nothing there', async () => {
  const simulator = createSimulator()
  const three = { title: 'Rows', steps: [{ ...read, expect: { body: { content: 'Launch' } } }] }
  simulator.world.annotations.update(1, { content: 'Launch' })
  simulator.settings.set({ 'annotations.delete.status': 404 })
  const remove = { as: 'all', method: 'DELETE', path: `${annotationsPath}1/` }

  await expect(simulator).toPassScenario(three)
  const empty = { title: 'Live', steps: [{ ...remove, expect: { status: 405, text: '' } }] }
  await expect(simulator).toPassScenario(empty, { profile: 'live' })
  const wrong = { title: 'Rows', steps: [{ ...read, expect: { status: 404 } }] }
  expect(await failure(() => expect(simulator).toPassScenario(wrong))).toMatch(
    /^expected the simulator to pass the scenario, replayed in a copy of the present world\n/,
  )
  const elsewhere = () => expect(simulator).toPassScenario(wrong, { world: 'default' })
  expect(await failure(elsewhere)).toContain('replayed in the named world')
  await expect(simulator).toPassScenario({
    title: 'A write',
    steps: [
      { ...remove, expect: { status: 404 } },
      { as: 'all', method: 'POST', path: annotationsPath, body: {}, expect: { status: 201 } },
    ],
  })

  expect(simulator.world.annotations.count).toBe(8)
  expect(simulator.journal.find()).toEqual([])
})

test('a failure shows the same report as replay', async () => {
  const file = temporaryFile(scenario({ status: 200, body: { content: 'Release 2.0' } }))

  const message = await failure(() => expect(createSimulator()).toPassScenario(file))

  expect(message).toContain(
    `expected the simulator to pass ${file}, replayed in the named world\n\nA story\n`,
  )
  expect(message).toContain('        got      "Release 1.0"\n')
})

test('not: a scenario that passes is a failure', async () => {
  const simulator = createSimulator()

  await expect(simulator).not.toPassScenario(scenario({ status: 404 }))
  expect(await failure(() => expect(simulator).not.toPassScenario(scenario({})))).toBe(
    'expected the simulator not to pass the scenario, but every step passed',
  )
})

test('a failure shows the nearest requests', async () => {
  const simulator = await simulatorWithRequests()
  const expected = { operation: 'createAnnotation', body: { content: 'Launch' }, count: 1 } as const

  expect(
    await failure(() => expect(simulator).toHaveReceived(expected)),
  ).toBe(`Failed to verify: expected createAnnotation with body {"content":"Launch"} exactly once, found 0 in 2 requests. Nearest: entry 1 (body.content: expected "Launch", got "Lunch").

  entry 1: POST /api/projects/1/annotations/
    body.content: expected "Launch", got "Lunch"

  entry 2: GET /api/projects/1/annotations/
    operation: expected createAnnotation, got listAnnotations
    body: expected {"content":"Launch"}, got null`)
  expect(
    await failure(() => expect(simulator).not.toHaveReceived({ operation: 'createAnnotation' })),
  ).toContain('expected this not to be true. Verified: ')
})

test('a wrong simulator, file or expectation is an error', async () => {
  const simulator = createSimulator()

  expect(await failure(() => expect(5).toPassScenario(scenario({})))).toBe(
    'Failed to run a scenario: expected a simulator, got 5.',
  )
  expect(await failure(() => expect(undefined).toHaveReceived({ count: 1 }))).toBe(
    'Failed to verify requests: expected a simulator, got nothing.',
  )
  expect(await failure(() => expect(simulator).toPassScenario('nowhere.json'))).toBe(
    `nowhere.json not found (looked for ${process.cwd()}/nowhere.json, relative to the working directory).`,
  )
  expect(await failure(() => expect(simulator).toHaveReceived({ count: -1 }))).toContain('count')
  const remote = connect('http://127.0.0.1:1')
  expect(await failure(() => expect(remote).toHaveNoClientMistakes())).toContain(
    'Failed to look for client mistakes: expected a simulator, got {"url"',
  )
})

test('a client makes no mistakes', async () => {
  const simulator = await simulatorWithRequests()

  expect(simulator).toHaveNoClientMistakes()
  expect(await failure(() => expect(simulator).not.toHaveNoClientMistakes())).toBe(
    'expected the client to make mistakes, but it made none',
  )

  const options = { method: 'DELETE', headers: jsonHeaders() }
  await simulator.fetch(`${annotationsPath}1/`, options)
  expect(simulator).toHaveNoClientMistakes({ except: ['swallowed-delete'] })
  const message = `expected the client to make no mistakes
  swallowed-delete: Annotation 1 was not deleted, and the client has not deleted it with PATCH so far.
    entry 3: 405 DELETE /api/projects/1/annotations/1/
  Send PATCH with {"deleted": true}. Annotations are never deleted for good.`
  expect(await failure(() => expect(simulator).toHaveNoClientMistakes())).toBe(message)
  const others = { except: ['duplicate-row', 'unread-pages'] }
  expect(await failure(() => expect(simulator).toHaveNoClientMistakes(others))).toBe(message)
})

test('a client that sends no requests is a failure, also with not', async () => {
  const simulator = createSimulator()
  const message = 'The journal has no requests. Nothing was checked.'

  expect(() => expect(simulator).toHaveNoClientMistakes()).toThrow(message)
  expect(() => expect(simulator).not.toHaveNoClientMistakes()).toThrow(message)
})

test('a request that a fault holds is named, since nothing was checked', async () => {
  const simulator = createSimulator()
  simulator.faults.add({ effect: { hold: true } })
  const response = simulator.fetch(`${annotationsPath}1/`, { headers: jsonHeaders() })
  await expect.poll(() => simulator.faults.list()[0]?.waiting).toHaveLength(1)

  const message = await failure(() => expect(simulator).toHaveNoClientMistakes())
  simulator.faults.clear()
  await response

  expect(message).toMatch(
    /^GET \/api\/projects\/1\/annotations\/1\/ has no response yet\. The fault fault-1 applies: .*Nothing was checked\.$/s,
  )
})

test('an unknown rule, another option and another value are refused', async () => {
  const simulator = createSimulator()
  const rule = 'swallowed-deletes'
  const failures = [
    () => expect(simulator).toHaveNoClientMistakes({ except: [rule] }),
    () => expect(simulator).toHaveNoClientMistakes({ except: 'swallowed-delete' as never }),
    () => expect(simulator).toHaveNoClientMistakes({ without: [] } as never),
    () => expect({}).toHaveNoClientMistakes(),
  ]

  const messages = await Promise.all(failures.map(failure))

  expect(messages.map((text) => text.replace(/ one of .*, got/, ' …, got'))).toEqual([
    `Failed to look for client mistakes.
  except[0]: expected …, got "swallowed-deletes". Did you mean "swallowed-delete"?`,
    `Failed to look for client mistakes.
  except: expected array, got "swallowed-delete"`,
    `Failed to look for client mistakes.
  without: unknown field. None is allowed beside except.`,
    'Failed to look for client mistakes: expected a simulator, got {}.',
  ])
})
