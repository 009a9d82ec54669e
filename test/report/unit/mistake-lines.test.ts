import { expect, test } from 'vitest'
import { describeMistakes, listMistakes } from '../../../src/report/mistake-lines.ts'
import type { RequestFinding } from '../../../src/utils/reports/report.ts'

const ignored = (field: string, tests: string[]): RequestFinding => ({
  ...{ rule: 'ignored-input', level: 'warning', message: `createAnnotation ignores ${field}.` },
  ...{ cure: 'Remove it.', evidence: 'source', source: 'the source', entries: [1] },
  ...{ times: tests.length, count: 1, details: ['entry 1'], tests },
})
const mistakes = ['a', 'b', 'c', 'd', 'e'].map((field) => ignored(field, [`saves ${field}`, 'all']))

test('a line for each mistake names its tests, also those of more than three of a rule', () => {
  expect(listMistakes(mistakes)).toEqual([
    'Client mistakes:',
    '  ignored-input, 2 times in "saves a", "all": createAnnotation ignores a.',
    '  ignored-input, 2 times in "saves b", "all": createAnnotation ignores b.',
    '  ignored-input, 2 times in "saves c", "all": createAnnotation ignores c.',
    '  ignored-input: and 2 more, in "saves d", "all", "saves e": createAnnotation ignores d. createAnnotation ignores e.',
  ])
})

test('a mistake of no known test is listed with its first request', () => {
  const { tests: _, ...mistake } = ignored('a', ['x'])

  expect(listMistakes([mistake])[1]).toBe(
    '  ignored-input, once: createAnnotation ignores a. (entry 1)',
  )
})

test('mistakes with their requests begin with errors, and name the tests of which no request is shown', () => {
  const worse = { ...ignored('c', ['saves c']), rule: 'undone-change', level: 'error' as const }
  const lines = describeMistakes([
    ignored('a', ['saves a', 'all']),
    ignored('b', ['saves b']),
    worse,
  ])

  expect(lines.filter((line) => line.includes('ignores'))).toEqual([
    '  undone-change: createAnnotation ignores c.',
    '  ignored-input, 2 times: createAnnotation ignores a. (in "saves a", "all")',
    '  ignored-input: createAnnotation ignores b.',
  ])
})
