import * as vitest from 'vitest'
import { UsageError } from '../../utils/errors.ts'
import { withPlainErrors } from '../testing/plain-errors.ts'

// An import of a name that the installed version lacks is a SyntaxError, which names no cure.
const { aroundEach, TestRunner } = vitest
const isKnown =
  typeof aroundEach === 'function' &&
  typeof TestRunner?.createTaskCollector === 'function' &&
  typeof TestRunner.getCurrentSuite === 'function'
if (!isKnown) {
  withPlainErrors(() => {
    throw new UsageError(
      'understudy-api/vitest works with Vitest 4.1 and 5, and another version is installed. `npm ls vitest` shows it. Install one of them: npm install --save-dev vitest@4.1',
    )
  })
}

/** The parts of Vitest that older versions lack. */
export { aroundEach, TestRunner }
