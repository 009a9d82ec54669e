import { expect, test } from 'vitest'
import { responseOnlyNote } from '../../src/http/ignored-input.ts'
import type { OperationId } from '../../src/index.ts'
import { createSimulator } from '../../src/simulator/simulator.ts'
import { annotationsPath } from '../support/api/paths.ts'
import { initOf } from '../support/transports/client.ts'
import { mistakesIn, type Sent } from './entries.ts'

const id = `body.id${responseOnlyNote}`
const createdAt = `body.created_at${responseOnlyNote}`
const typo = 'body.contnt, did you mean content?'

const ignoredInputs: readonly [ignored: string[], messages: string[]][] = [
  [[], []],
  [['body.a'], ['ignores body.a.']],
  [[typo], [`ignores ${typo}`]],
  [
    ['body.a', 'query.b?'],
    ['ignores body.a.', 'ignores query.b?'],
  ],
  [[id], ['ignores body.id, which only responses have.']],
  [[id, createdAt], ['ignores body.id, body.created_at, which only responses have.']],
  [
    [typo, id],
    ['ignores body.id, which only responses have.', `ignores ${typo}`],
  ],
]

test.each(ignoredInputs)('the ignored input %j', (ignored, messages) => {
  const mistakes = mistakesIn('ignored-input', [{ ignored, operation: 'updateAnnotation' }])

  expect(mistakes).toEqual(
    messages.map((message) => ({ message: `updateAnnotation ${message}`, entries: [1] })),
  )
})

const create = (status: number, operation: OperationId = 'createAnnotation'): Sent => ({
  method: 'POST',
  operation,
  sent: { date_marker: '2024-06-20T11:00' },
  status,
})

const times: readonly [what: string, request: Sent, isReported: boolean][] = [
  ['that is created', create(201), true],
  ['that is updated', create(200, 'updateAnnotation'), true],
  ['that is refused', create(400), false],
  ['that is redirected', create(301), false],
  ['without a response', create(0), false],
]

test.each(times)('a local time %s', (_, request, isReported) => {
  const message = 'The client sent the date_marker 2024-06-20T11:00, without an offset from UTC.'

  expect(mistakesIn('local-time', [request])).toEqual(isReported ? [{ message, entries: [1] }] : [])
})

test('a link of a page that was evicted from the journal is followed, not written', async () => {
  const simulator = createSimulator({ journal: { entries: 1 } })
  const page = await simulator.fetch(`${annotationsPath}?limit=1&serch=x`, initOf('GET', {}))
  const { next } = await page.json()

  await simulator.fetch(next, initOf('GET', {}))

  expect(simulator.journal.find()).toMatchObject([{ ignored: ['?serch, did you mean search?'] }])
  expect(simulator.journal.mistakes()).toEqual([])
})
