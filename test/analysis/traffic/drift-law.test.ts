import { expect, test } from 'vitest'
import { findFalseWords } from './check-drift.ts'

test.each(Array.from({ length: 12 }, (_, seed) => seed))(
  'of the random service %s no policy is contradicted wrongly, and with the values found its traffic repeats',
  async (seed) => expect(await findFalseWords(seed)).toEqual([]),
)
