import { expect, test } from 'vitest'
import { searchTerms } from '../../../src/world/search.ts'

test('a term that a search repeats is compared once with each row', () => {
  expect(searchTerms(`${'A,a '.repeat(7_000)} b`)).toEqual(['a', 'b'])
})
