import { expect, test } from 'vitest'
import { responseOnlyNote } from '../../../src/http/ignored-input.ts'
import { mistakesIn } from './entries.ts'

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
  const found = mistakesIn('ignored-input', [{ ignored, operation: 'updateAnnotation' }])

  expect(found).toEqual(
    messages.map((message) => ({ message: `updateAnnotation ${message}`, entries: [1] })),
  )
})
