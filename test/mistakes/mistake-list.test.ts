import { expect, test } from 'vitest'
import { MistakeFinder } from '../../src/mistakes/mistake-finder.ts'
import { annotationsPath, annotationPath as row } from '../support/api/paths.ts'
import { start } from '../support/transports/start.ts'
import { findMistakes, numbers, type Sent, toEntry } from './entries.ts'
import { readEntry } from './read-entry.ts'

const line = (id: number) => `entry ${id}: 200 GET ${annotationsPath}`
const entries = (count: number, input = '?a') =>
  numbers(1, count).map((id) => toEntry({ ignored: [input] }, id))

test('a mistake has its rule, its message and its requests', () => {
  expect(findMistakes(entries(1))).toEqual([
    {
      rule: 'ignored-input',
      level: 'warning',
      message: 'listAnnotations ignores ?a.',
      cure: 'Leave it out, or send a name and a value that the documentation lists.',
      evidence: 'source',
      source: "by running the service's framework",
      times: 1,
      details: [line(1)],
      entries: [1],
      count: 1,
    },
  ])
})

const counts: readonly [count: number, details: readonly string[], listed: number[]][] = [
  [3, [line(1), line(2), line(3)], numbers(1, 3)],
  [20, [line(1), line(2), line(20), 'and 17 more'], numbers(1, 20)],
  [50, [line(1), line(2), line(50), 'and 47 more'], [...numbers(1, 19), 50]],
]

test.each(counts)(
  'a mistake in %i requests names the first ones and the latest',
  (count, details, listed) => {
    const [mistake, ...others] = findMistakes(entries(count))

    expect(mistake).toMatchObject({ count, details, entries: listed })
    expect(others).toEqual([])
  },
)

test('a request that shows two mistakes of a rule counts for each of them', () => {
  const ignored = ['?a', '?b']

  const mistakes = findMistakes([toEntry({ ignored }, 1), toEntry({ ignored }, 2)])

  expect(mistakes.map(({ message, count }) => [message, count])).toEqual([
    ['listAnnotations ignores ?a.', 2],
    ['listAnnotations ignores ?b.', 2],
  ])
})

test('of a rule, the first 100 mistakes are listed, with all of their requests', () => {
  const many = numbers(1, 102).map((id) => toEntry({ ignored: [`?q${id}`] }, id))
  const again = [1, 100, 101].map((number, index) =>
    toEntry({ ignored: [`?q${number}`] }, 103 + index),
  )
  const other = toEntry({ method: 'PATCH', sent: { date_marker: '2024-06-20T11:00' } }, 106)

  const mistakes = findMistakes([...many, ...again, other])

  expect(mistakes).toHaveLength(101)
  expect(mistakes[0]?.entries).toEqual([1, 103])
  expect(mistakes[98]?.entries).toEqual([99])
  expect(mistakes[99]?.entries).toEqual([100, 104])
  expect(mistakes[100]).toMatchObject({ rule: 'local-time', entries: [106] })
})

test('mistakes are listed in the order of their first requests, then of the rules', () => {
  const local = { method: 'PATCH', sent: { date_marker: '2024-06-20T11:00' }, ignored: ['?a'] }

  const mistakes = findMistakes([
    toEntry({ ignored: ['?b'] }, 1),
    toEntry(local, 2),
    toEntry({ ignored: ['?c'] }, 3),
  ])

  expect(mistakes.map(({ rule, entries: [first] }) => [rule, first])).toEqual([
    ['ignored-input', 1],
    ['ignored-input', 2],
    ['local-time', 2],
    ['ignored-input', 3],
  ])
})

test('of more than a hundred tests at once, the one without a request for longest ends', () => {
  const deletion = (test: string) =>
    toEntry({ method: 'DELETE', operation: 'deleteAnnotation', path: row, status: 405, test })
  const others = numbers(2, 99).map((number) => toEntry({ test: `${number}` }))
  const read = toEntry({ operation: 'retrieveAnnotation', path: row, test: 'a' })
  const deletions = ['a', '1'].map(deletion)
  const entries = [...deletions, ...others, toEntry({ test: 'a' }), deletion('b'), read]

  const mistakes = findMistakes(entries.map((entry, index) => ({ ...entry, id: index + 1 })))

  expect(mistakes).toMatchObject([{ rule: 'swallowed-delete', tests: ['1', 'b'] }])
})

const long = 'x'.repeat(1.6 * 2 ** 20)
const large: readonly [what: string, request: Sent][] = [
  ['requests', { sent: long }],
  ['paths', { query: { search: long } }],
  ['responses', { status: 503, body: long }],
]

test.each(large)('of %s of 22 MiB, no more than 16 MiB are kept', (_, request) => {
  let [kept, most] = [0, 0]
  const open = () => (bytes: number) => {
    kept += bytes
    most = Math.max(most, kept)
  }
  const finder = new MistakeFinder({ open })

  for (const id of numbers(1, 14)) finder.add(readEntry(toEntry(request, id)))

  expect(most).toBeGreaterThan(15 * 2 ** 20)
  expect(most).toBeLessThan(17 * 2 ** 20)
})

test('the same mistake in several tests is one, which names them and the start of each request', () => {
  const query = { search: 'x'.repeat(300) }
  const of = (test: string, id: number) => toEntry({ query, ignored: ['?a'], test }, id)

  const mistakes = findMistakes([of('a', 1), of('b', 2), of('a', 3)])

  const target = `${annotationsPath}?search=${query.search}`.slice(0, 200)
  const details = ['1 of a', '3 of a', '2 of b'].map((entry) => `entry ${entry}: 200 GET ${target}`)
  expect(mistakes).toMatchObject([{ details, entries: [1, 2, 3], count: 3, tests: ['a', 'b'] }])
})

test('a mistake shows values of rows with masked secrets', async () => {
  const { ask, simulator } = await start()
  await ask('GET', row)
  simulator.world.annotations.update(1, { content: 'https://ada:hunter2@a.test/' })
  await ask('PATCH', row, { body: { content: 'Launch' } })

  const [{ message } = { message: '' }] = simulator.journal.mistakes()

  expect(message).toContain('@a.test/')
  expect(message).not.toContain('hunter2')
})
