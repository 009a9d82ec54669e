import { expect, test } from 'vitest'
import { checkDrift } from './check-drift.ts'

test.each(Array.from({ length: 12 }, (_, seed) => seed))(
  'of the random service %s no policy is contradicted wrongly, and with the values found its traffic repeats',
  async (seed) => expect(await checkDrift(seed)).toEqual({ wrong: [], open: [] }),
)
