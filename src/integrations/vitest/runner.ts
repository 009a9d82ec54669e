import * as vitest from 'vitest'
import { UsageError } from '../../utils/usage-error.ts'
import { withPlainErrors } from '../testing/plain-errors.ts'

// Imported by name, what a version lacks would be a SyntaxError that names no cure.
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

/** What only some versions of Vitest have. */
export { aroundEach, TestRunner }
