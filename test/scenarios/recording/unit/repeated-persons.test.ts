import { expect, test } from 'vitest'
import { RepeatedPersons } from '../../../../src/scenarios/recording/repeated-persons.ts'

const ada = { id: 1, email: 'ada@example.com' }
const anybody = { id: { $match: 'id' }, email: { $match: 'text' } }

test('a person is written once, and then stands as a matcher', () => {
  const persons = new RepeatedPersons()
  const raw = { results: [{ author: ada }, { author: ada }, { author: null }] }
  const body = { results: [{ author: anybody }, { author: anybody }, { author: null }] }
  persons.add(raw, 0)
  persons.add(raw, 1)

  expect(persons.collapse(body, raw, 0)).toEqual({
    results: [{ author: anybody }, { author: { $match: 'object' } }, { author: null }],
  })
  expect(persons.collapse(body, raw, 1)).toEqual({
    results: [{ author: { $match: 'object' } }, { author: { $match: 'object' } }, { author: null }],
  })
})

test('a body that is no longer an object, or never was, stays as it is', () => {
  const persons = new RepeatedPersons()
  persons.add(ada, 0)

  expect(persons.collapse('{"email": …}', ada, 1)).toBe('{"email": …}')
  expect(persons.collapse(null, ada, 1)).toBe(null)
  expect(persons.collapse(anybody, 'text', 1)).toBe(anybody)
  expect(persons.collapse(anybody, null, 1)).toBe(anybody)
})

test('a person whose name is expected stays as it is', () => {
  const persons = new RepeatedPersons()
  persons.add(ada, 0)
  const named = { id: { $match: 'id' }, email: 'ada@example.com' }

  expect(persons.collapse(named, ada, 1)).toEqual(named)
})
