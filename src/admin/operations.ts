import { packageName, version } from '../utils/version.ts'
import { journalOperations } from './journal.ts'
import { openOperation } from './operation.ts'
import { scenarioOperations } from './scenarios.ts'
import { sandboxOperations, stateOperations } from './state.ts'
import { worldOperations } from './world.ts'

/** What a server says of itself, to everybody. */
export interface Health {
  readonly name: string
  readonly status: 'ready'
  readonly version: string
  /** The fixture, or the name of the file, of a server that a command started */
  readonly world?: string
}

/** The operations of the admin API, by method and path below `/__admin`. */
export const operations = {
  'GET /health': openOperation(
    'Read the version and the state of the server.',
    ({ world }): Health => ({
      name: packageName,
      status: 'ready',
      version,
      ...(world !== undefined && { world }),
    }),
  ),
  ...worldOperations,
  ...sandboxOperations,
  ...stateOperations,
  ...journalOperations,
  ...scenarioOperations,
}

/** The operations of the admin API, for clients, which know only the types. */
export type Operations = typeof operations
