import { test } from 'vitest'
import { checkClaims } from '../../support/observe/check-claims.ts'

test.each([1, 2, 3, 4, 5, 6, 7, 8])(
  'of a hand-written server, no wrong value is claimed, and no row of it changes, seed %i',
  (seed) => checkClaims(seed),
)
