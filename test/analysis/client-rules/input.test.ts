import { expect, test } from 'vitest'
import { responseOnlyNote } from '../../../src/sandbox/journal/ignored-input.ts'
import { acme } from '../../support/api/paths.ts'
import { mistakesIn } from './entries.ts'

const id = `body.id${responseOnlyNote}`
const createdAt = `body.created_at${responseOnlyNote}`
const typo = 'body.contnt, did you mean content?'

const ignoredInputs: readonly [ignored: string[], other: string[], responseOnly: string[]][] = [
  [[], [], []],
  [['body.a'], ['ignores body.a.'], []],
  [[typo], [`ignores ${typo}`], []],
  [['body.a', 'query.b?'], ['ignores body.a.', 'ignores query.b?'], []],
  [[id], [], ['ignores body.id, which only responses have.']],
  [[id, createdAt], [], ['ignores body.id, body.created_at, which only responses have.']],
  [[id, typo], [`ignores ${typo}`], ['ignores body.id, which only responses have.']],
]

test.each(ignoredInputs)('the ignored input %j', (ignored, other, responseOnly) => {
  const found = ['ignored-input', 'response-only-field'].map((rule) =>
    mistakesIn(rule, [{ ignored, operation: 'updateAnnotation' }]),
  )

  const expected = [other, responseOnly].map((messages) =>
    messages.map((message) => ({ message: `updateAnnotation ${message}`, entries: [1] })),
  )
  expect(found).toEqual(expected)
})

const asOrganization =
  '/api/organizations/12 has a number, as projects have. The id of an organization is a UUID.'
const asProject = (uuid: string) =>
  `/api/projects/${uuid} has a UUID, as organizations have. The id of a project is a number.`
const short = acme.replaceAll('-', '')

const paths: readonly [path: string, message: string | null][] = [
  ['/api/organizations/12/plugins/', asOrganization],
  ['/api/organizations/12/', asOrganization],
  ['/__sandbox/sandbox-1/api/organizations/12', asOrganization],
  ['/api/organizations/12a/', null],
  ['/api/organizations/x12/', null],
  [`/api/organizations/${acme}/`, null],
  ['/api/teams/12/', null],
  [`/api/projects/${acme}/annotations/`, asProject(acme)],
  [`/api/projects/${acme}`, asProject(acme)],
  [`/api/projects/${acme.toUpperCase()}/`, asProject(acme.toUpperCase())],
  [`/api/projects/${short}/`, asProject(short)],
  [`/api/projects/${acme}0/`, null],
  [`/api/projects/0${short}/`, null],
  [`/api/projects/${acme.replace('0', 'g')}/`, null],
  ['/api/projects/12/', null],
  [`/apis/projects/${acme}/`, null],
]

test.each(paths)('the ids in %s are swapped: %j', (path, message) => {
  expect(mistakesIn('swapped-id', [{ path, status: 404 }])).toEqual(
    message === null ? [] : [{ message, entries: [1] }],
  )
})

test.each([
  [0, 0],
  [200, 0],
  [399, 0],
  [400, 1],
  [403, 1],
  [500, 1],
])('with the status %i, %i ids are swapped', (status, count) => {
  const found = mistakesIn('swapped-id', [{ path: '/api/organizations/12/', status }])

  expect(found).toHaveLength(count)
})
