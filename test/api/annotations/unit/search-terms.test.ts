import { expect, test } from 'vitest'
import { search } from '../../../../src/api/annotations/annotations.ts'
import { resolvePolicies } from '../../../../src/policies/settings.ts'

const terms = (text: string) => search.read(text, resolvePolicies())

test('search terms are unique, and terms that another term contains are dropped', () => {
  expect(terms('e,e e RELEASE lease,1.0 1.0')).toEqual(['release', '1.0'])
  expect(terms('e '.repeat(7000))).toEqual(['e'])
  expect(terms('ab ba abc')).toEqual(['abc', 'ba'])
  expect(terms('a b')).toEqual(['a', 'b'])
  expect(terms(' , ')).toEqual([])
})
