import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createSimulator, findClientMistakes, type Simulator } from '../../src/index.ts'
import { requestsOf, send } from '../every/random-requests.ts'
import { annotationsPath, annotationPath as row } from '../support/api/paths.ts'
import { initOf } from '../support/transports/client.ts'

const launch = { content: 'Launch', date_marker: '2024-06-20T11:00' }

/** What a careless client does. */
const moves: readonly ((simulator: Simulator) => unknown)[] = [
  ...['GET', 'HEAD', 'DELETE', 'PUT'].map((method) => ask(method, row)),
  ...['', '?limit=2', '?limit=2&offset=2', '?limit=2&offset=1', '?serch=x', '?limit=1000000'].map(
    (query) => ask('GET', annotationsPath + query),
  ),
  ask('HEAD', annotationsPath),
  ask('POST', annotationsPath, launch),
  ask('POST', annotationsPath, { ...launch, id: 1, contnt: 'x' }),
  ask('PATCH', row, launch),
  ask('PATCH', row, { deleted: true }),
  ask('PATCH', row, { content: 'Launch of the others' }, 'phx_annotations'),
  // Keys that look alike when they are masked.
  ...['phx_one', 'phx_two'].map((key) => ask('GET', row, undefined, key)),
  (simulator) => simulator.faults.add({ preset: 'flaky' }),
  (simulator) => simulator.faults.add({ when: { times: 2 }, effect: { error: 'throttled' } }),
  (simulator) => simulator.faults.add({ when: { times: 1 }, effect: { cut_bytes: 5 } }),
  (simulator) => simulator.reset(),
]

function ask(method: string, path: string, body?: object, key?: string | null) {
  const options = { ...(body && { body }), ...(key !== undefined && { key }) }
  return (simulator: Simulator) =>
    simulator
      .fetch(path, initOf(method, options))
      .then((response) => response.text())
      .catch(() => {})
}

function throttled(simulator: Simulator): void {
  simulator.faults.add({ effect: { error: 'throttled', retry_after_s: 60 } })
}

const mistakesOfFile = ({ journal }: Simulator) =>
  findClientMistakes(JSON.parse(JSON.stringify(journal.find())))

test('the mistakes in a file of entries are those in the journal, whatever a client does', async () => {
  const rules = new Set<string>()
  // A move begins before the one before it has ended, or after that.
  const step = fc.tuple(fc.constantFrom(...moves), fc.boolean())
  const history = fc.array(step, { minLength: 10, maxLength: 40 })
  const clocks = fc.constantFrom('real', '2024-06-15T12:00:00Z')

  await fc.assert(
    fc.asyncProperty(history, clocks, async (steps, clock) => {
      const simulator = createSimulator({ clock })
      let before: unknown
      for (const [move, isAlone] of steps) {
        if (isAlone) await before
        before = move(simulator)
      }
      await before
      const mistakes = simulator.journal.mistakes()
      for (const { rule } of mistakes) rules.add(rule)
      expect(mistakesOfFile(simulator)).toEqual(mistakes)
    }),
    { numRuns: 30, seed: 1 },
  )

  expect(rules.size).toBeGreaterThan(6)
})

const times = <T>(count: number, move: T): T[] => Array.from({ length: count }, () => move)

test.each<[what: string, moves: (typeof moves)[number][], rules: string[]]>([
  [
    'keys that look alike',
    ['one', 'two', 'six'].map((key) => ask('GET', row, undefined, `phx_${key}`)),
    [],
  ],
  ['time that passes', [throttled, ...times(2, ask('GET', row))], ['early-retry']],
  [
    'a parameter that is repeated',
    times(3, ask('GET', `${annotationsPath}?offset=x&offset=1`)),
    ['ignored-input'],
  ],
])('a file tells of %s what the journal tells', async (_what, careless, rules) => {
  const simulator = createSimulator({ profile: 'live' })

  for (const move of careless) await move(simulator)

  const mistakes = simulator.journal.mistakes()
  expect(mistakes.map(({ rule }) => rule)).toEqual(rules)
  expect(mistakesOfFile(simulator)).toEqual(mistakes)
})

test.each(['documented', 'live'] as const)(
  'the mistakes in a file of random requests are those in the journal: %s',
  async (profile) => {
    const simulator = createSimulator({ profile, clock: '2024-06-15T12:00:00Z' })
    for (const request of requestsOf(profile)) await send(simulator, request)

    expect(mistakesOfFile(simulator)).toEqual(simulator.journal.mistakes())
  },
)
