import { expect, test } from 'vitest'
import * as z from 'zod'
import { didYouMean, formatIssue, issuesError, listWords } from '../../../src/utils/errors.ts'
import { failToWrite, unreadableFileError } from '../../../src/utils/files.ts'
import { parseJsonText, parseWrittenJson } from '../../../src/utils/json-file.ts'
import { recordOf } from '../../../src/utils/options.ts'
import { schemaIssues } from '../../../src/utils/schema-issues.ts'

test('suggests the most similar word, and none for a word that is allowed or too different', () => {
  const profiles = ['documented', 'live']

  expect(didYouMean('lvie', profiles)).toBe('live')
  expect(didYouMean('live', profiles)).toBeUndefined()
  expect(didYouMean('production', profiles)).toBeUndefined()
  expect(didYouMean('nonsense', ['assumed', 'none'])).toBeUndefined()
  expect(didYouMean('lvie', profiles, 1)).toBeUndefined()
  expect(didYouMean('live', [])).toBeUndefined()
  expect(didYouMean('odd1', ['default', 'odd'])).toBe('odd')
  expect(didYouMean('delay', ['detail', 'delay_ms'])).toBe('delay_ms')
  expect(didYouMean('lis', ['listAnnotations', 'list'])).toBe('list')
  expect(didYouMean('lis', ['listAnnotations', 'createPlugin'])).toBeUndefined()
})

test('an object of more than a thousand fields is refused unread', () => {
  const schema = recordOf(z.custom((value) => value === 1))
  const issuesOf = (count: number) => schemaIssues(schema, { ...Array(count).fill(1) })

  expect([issuesOf(1_000), issuesOf(10_000)]).toEqual([
    [],
    [{ path: [], text: expect.stringMatching('expected at most 1000 fields, got {"0":1,"1":1,') }],
  ])
})

test('a name of a megabyte is shown by its beginning', () => {
  const issues = schemaIssues(z.strictObject({ limit: z.any().optional() }), {
    ['x'.repeat(2 ** 20)]: 1,
  })

  expect(issuesError('Failed.', issues).details).toEqual([
    { path: ['x'.repeat(100)], text: 'unknown field. None is allowed beside limit.' },
  ])
})

test.each([
  ['409', ['403', '404', '405_empty']],
  ['sandbox-99', ['sandbox-1', 'sandbox-9']],
])('suggests nothing for %s, which differs from %j in a number only', (word, allowed) => {
  expect(didYouMean(word, allowed)).toBeUndefined()
})

test('lists names in quotes, and counts those that are left out', () => {
  const names = Array.from({ length: 14 }, (_, index) => `name ${index + 1}, copy`)

  expect(listWords(['all', 'read, write'])).toBe('"all", "read, write"')
  expect(listWords(names.slice(0, 12))).toMatch(/, "name 12, copy"$/)
  expect(listWords(names)).toMatch(/^"name 1, copy", .*, "name 12, copy", … and 2 more$/)
})

test.each([
  ['{\n  "now": oops\n}', 'unexpected "o" in line 2, column 10'],
  ['\ufeff[1 2]', 'unexpected "2" in line 1, column 4'],
  ['[NaN]', 'unexpected "N" in line 1, column 2'],
  ['{"🚀": 🚀}', 'unexpected "🚀" in line 1, column 7'],
  ['{"a": "b', 'it ends in line 1, column 9'],
  [' \n', 'it ends in line 2, column 1'],
])('reports the position of an error in the JSON %j', (text, reason) => {
  expect(() => parseJsonText(text, 'world.json')).toThrow(
    `world.json is not valid JSON: ${reason}.`,
  )
})

test('a name that occurs twice in an object is an issue with its path, wherever it is, and however it is written', () => {
  const text = `{
    "annotations": [{ "content": "\\"a\\": {", "\\u0063ontent": "b" }, { "content": "{\\"content\\": [" }],
    "keys": [[1, { "a": { "x": 1 }, "b": { "x": 2, "y": 1, "y": 2 } }]],
    "annotations" : []
  }`

  expect(() => parseWrittenJson(text, 'world.json')).toThrow(
    expect.objectContaining({
      message: expect.stringContaining(
        'world.json has a name twice in an object, which keeps one of them.',
      ),
      issues: [
        'annotations[0].content: occurs twice',
        'keys[0][1].b.y: occurs twice',
        'annotations: occurs twice',
      ],
    }),
  )
  expect(parseWrittenJson('[{"a":1},{"a":1},{"b":{"a":"a"}}]', 'world.json')).toHaveLength(3)
})

test.each([
  [
    'story.json',
    'ENOENT',
    `story.json not found (looked for ${process.cwd()}/story.json, relative to the working directory).`,
  ],
  ['/tmp/story.json', 'ENOENT', '/tmp/story.json not found.'],
  ['stories', 'EISDIR', 'stories is a folder. Choose a file.'],
  [
    'story.json',
    'EACCES',
    'story.json cannot be read: permission denied (EACCES). Choose another file.',
  ],
])('reports why %s cannot be read: %s', (file, code, message) => {
  expect(unreadableFileError(file, { code }).message).toBe(message)
})

test.each([
  ['ENOSPC', 'the disk is full (ENOSPC). Make room, or choose another file.'],
  ['EROFS', 'the file system is read-only (EROFS). Choose another file.'],
  ['EMFILE', 'EMFILE: too many open files.'],
])('reports why a file cannot be written: %s', (code, reason) => {
  const fail = failToWrite('out.json')

  expect(() => fail({ code, message: 'EMFILE: too many open files' })).toThrow(
    `Failed to write out.json: ${reason}`,
  )
})

test('an error lists its issues, and has the path of the first one', () => {
  const { message, issues, field } = issuesError('Failed.', [
    { path: ['rows', 0, 'id'], text: 'expected number, got "1"' },
    { path: ['rows', 1, 'a\nb'], text: 'unknown field.' },
    { path: [], text: 'expected one row' },
  ])

  expect(message.split('\n')).toEqual(['Failed.', ...issues.map((issue) => `  ${issue}`)])
  expect(issues).toEqual([
    'rows[0].id: expected number, got "1"',
    'rows[1]["a\\nb"]: unknown field.',
    'expected one row',
  ])
  expect(field).toBe('rows[0].id')
})

const rows = z.array(
  z.strictObject({
    id: z.int().min(1),
    content: z.string().optional(),
    scope: z.enum(['project', 'organization']).optional(),
    value: z.union([z.string(), z.boolean()]).optional(),
    effect: z.strictObject({ status: z.int().optional() }).partial().optional(),
  }),
)

test.each([
  [{}, 'id: expected number, got nothing'],
  [{ id: 'x' }, 'id: expected number, got "x"'],
  [{ id: 0 }, 'id: expected at least 1, got 0'],
  [{ id: 1, contnt: '' }, 'contnt: unknown field. Did you mean "content"?'],
  [{ id: 1, a: 1 }, 'a: unknown field. Allowed: id, content, scope, value, effect'],
  [{ id: 1, status: 503 }, 'status: unknown field. Did you mean "effect.status"?'],
  [{ id: 1, value: 3 }, 'value: expected string or boolean, got 3'],
  [
    { id: 1, scope: 'projct' },
    'scope: expected one of "project", "organization", got "projct". Did you mean "project"?',
  ],
])('says what a schema expects in place of %j', (row, issue) => {
  expect(schemaIssues(rows, [row]).map(formatIssue)).toEqual([`[0].${issue}`])
})
