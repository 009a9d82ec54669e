import { afterEach, inject } from 'vitest'

declare module 'vitest' {
  export interface ProvidedContext {
    /** The mutant that StrykerJS tests: npm run mutation */
    activeMutant: string | undefined
  }
}

declare global {
  /** The mutant of the latest failure in this thread */
  var failedMutant: string | undefined
}

// Vitest still imports the other files of a run after the first failure. That takes longer than the tests.
const mutant = inject('activeMutant')
if (mutant !== undefined && mutant === globalThis.failedMutant) throw new Error('A test failed')

afterEach(({ task }) => {
  if (task.result?.state === 'fail') globalThis.failedMutant = mutant
})
