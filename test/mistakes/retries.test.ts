import { expect, test } from 'vitest'
import { annotationsPath } from '../support/api/paths.ts'
import { findMistakes, mistakesIn, numbers, otherClient, type Sent, toEntry } from './entries.ts'

const told = { detail: 'Request was throttled. Expected available in 30 seconds.' }
const throttled: Sent = { status: 429, ms: 40, headers: { 'retry-after': '30' }, body: told }
const later = (after: number, again: Sent = {}): Sent => ({ ...again, after })
const texted = (after: number) => later(after, { ...throttled, headers: {} })
const throttledLater = (id: number) => later(id, { ...throttled, path: `${annotationsPath}${id}/` })
const soon = (id: number) => ({ ...throttledLater(id), after: id / 40, ms: 1, timed: true })

/** The end of the sentence about a request that came too early, in seconds after the refused one. */
const early = (after: number) =>
  `wait 30 s. The client sent a request ${after} s after the refused one.`

const date = { 'retry-after': 'Sat, 15 Jun 2024 12:00:02 GMT' }
const dated: Sent = { ...throttled, after: 0.4, headers: date }

const earlyRetries: readonly [
  what: string,
  requests: readonly Sent[],
  sentence: string | null,
  entries?: number[],
][] = [
  ['at once', [throttled, later(0)], null],
  ['before the response arrived', [throttled, later(0.04)], null],
  ['after the response', [throttled, later(0.041)], early(0.041)],
  ['too early', [throttled, later(29.949)], early(29.949)],
  ['as early as a timer', [throttled, later(29.95)], null],
  ['in time', [throttled, later(30)], null],
  ['with another body', [throttled, later(12, { sent: {} })], null],
  ['by another client', [throttled, later(12, otherClient)], null],
  ['twice', [throttled, later(1, throttled), later(2, throttled)], early(1), [1, 2, 3]],
  ['after another request', [throttled, { method: 'HEAD' }, later(12)], early(12), [1, 3]],
  ['in place of which two others are sent', [1, 2, 3].map(throttledLater), early(2), [1, 2, 3]],
  ['in place of which another one is sent', [1, 2].map(throttledLater), null],
  ['in place of which two others were on their way', [1, 2, 3].map(soon), null],
  [
    'in place of which others are sent, one of which succeeds',
    [throttledLater(1), throttledLater(2), later(2, { method: 'HEAD' }), throttledLater(3)],
    null,
  ],
  ['without a wait that only a text says', [texted(0), later(0.09)], early(0.09)],
  ['in a quarter of the wait that a text says', [texted(0), later(7.4)], early(7.4)],
  ['after a quarter of the wait that a text says', [texted(0), later(7.5)], null],
  ['just after the date of a header', [dated, later(2.02)], null],
  ['after a 429 without a time', [{ status: 429, ms: 40 }, later(0.09)], null],
]

test.each(earlyRetries)(
  'a throttled request that is repeated %s',
  (_, requests, sentence, entries = [1, 2]) => {
    expect(mistakesIn('early-retry', requests)).toEqual(
      sentence === null ? [] : [{ message: `The 429 says to ${sentence}`, entries }],
    )
  },
)

test.each([
  ['even', 0.88, ['note', 'warning']],
  ['longer', 0.9, ['note']],
])('%s pauses where only a text says how long to wait', (_, after, levels) => {
  const requests = [texted(0), texted(0.4), later(after)]

  const mistakes = findMistakes(requests.map((sent, at) => toEntry(sent, at + 1)))

  expect(mistakes.map(({ level }) => level)).toEqual(levels)
})

test('parallel requests that are all throttled are each repeated too early', () => {
  const [first, second] = [{ query: { limit: '1' } }, { query: { limit: '2' } }]
  const requests = [
    { ...throttled, ...first },
    { ...throttled, ...second },
    later(9, first),
    later(9, second),
  ]

  const success = mistakesIn('early-retry', requests)

  expect(success.map(({ entries }) => entries)).toEqual([[1, 2, 3, 4]])
})

const repeat = (times: number, request: Sent) => Array.from({ length: times }, () => request)
const [down, mistakes] = [{ status: 503 }, { status: 200 }] as const
const slowDown = (each: number) => (at: number) =>
  later(each * at, { ...down, ms: 150, timed: true })

/** The first failure of those that are too many, which are 20 by default. */
const endless: readonly [what: string, requests: readonly Sent[], first: string, number[]?][] = [
  ['19 times', repeat(19, down), ''],
  ['20 times', repeat(20, down), 'a 503'],
  ['20 times without a response', repeat(20, { status: 0 }), 'no complete response'],
  ['20 times too often', repeat(20, { status: 429 }), 'a 429'],
  ['with a success on the way', [...repeat(19, down), mistakes, ...repeat(19, down)], ''],
  ['with five seconds in between', [...repeat(19, down), later(5, down)], ''],
  ['with less in between', [...repeat(19, down), later(4.999, down)], 'a 503'],
  [
    '20 times, and once more without a response',
    [...repeat(20, down), { status: 0 }],
    'a 503',
    [...numbers(1, 19), 21],
  ],
  ['of a page that polls on', numbers(1, 40).map((at) => later(5 * at, down)), ''],
  ['ten times without a pause', numbers(1, 10).map(slowDown(0.24)), 'a 503', numbers(1, 10)],
  ['ten times with a pause', numbers(1, 10).map(slowDown(0.26)), ''],
  ['after each wait that a 429 names', numbers(1, 40).map((at) => later(30 * at, throttled)), ''],
]

test.each(endless)('a request that fails %s', (_, requests, first, entries = numbers(1, 20)) => {
  const message = `The client sent the same request again and again. Each one failed, and the first one got ${first}.`

  expect(mistakesIn('endless-retry', requests)).toEqual(first ? [{ message, entries }] : [])
})

const refused: Sent = { status: 403 }
const missing: Sent = { status: 404 }
const others: Sent = { ...mistakes, ...otherClient }
const lost: Sent = { method: 'HEAD', status: 0 }

const repeated: readonly [what: string, requests: readonly Sent[], entries?: number[]][] = [
  ['twice', repeat(2, refused)],
  ['three times', repeat(3, refused), [1, 2, 3]],
  ['three times as missing', repeat(3, missing)],
  ['ten times as missing', repeat(10, missing), numbers(1, 10)],
  ['three times, with a success in between', [...repeat(2, refused), mistakes, refused]],
  ['three times, with a success of others', [...repeat(2, refused), others, refused], [1, 2, 4]],
  ['three times, with a lost one in between', [...repeat(2, refused), lost, refused], [1, 2, 4]],
  ['three times, and once with a 400', [refused, { status: 400 }, ...repeat(2, refused)]],
  [
    'three times, at once',
    [refused, { ...refused, overlaps: [1] }, { ...refused, overlaps: [1, 2] }],
  ],
  ['with another body', [...repeat(2, refused), { ...refused, sent: {} }]],
  ['three times as a wrong method', repeat(3, { status: 405 })],
  ['each four seconds', [0, 4, 8].map((at) => later(at, refused)), [1, 2, 3]],
  ['each ten seconds, by a health check', [0, 10, 20].map((at) => later(at, refused))],
]

test.each(repeated)('a request that is refused %s', (_, requests, entries = []) => {
  const mistakes = mistakesIn('repeated-refusal', requests)

  expect(mistakes.map((mistake) => mistake.entries)).toEqual(entries.length > 0 ? [entries] : [])
})
