import { packageName, version } from '../utils/version.ts'
import { journalRows } from './journal.ts'
import { openRow } from './row.ts'
import { sandboxRows } from './sandboxes.ts'
import { scenarioRows } from './scenarios.ts'
import { stateRows } from './state.ts'
import { worldRows } from './world.ts'

/** What a server says of itself, to everybody. */
export interface Health {
  readonly name: string
  readonly status: 'ready'
  readonly version: string
  /** The fixture, or the name of the file, of a server that a command started */
  readonly world?: string
}

/** The operations of the control API, by method and path below `/__admin`. */
export const rows = {
  'GET /health': openRow(
    'Read the version and the state of the server.',
    ({ world }): Health => ({
      name: packageName,
      status: 'ready',
      version,
      ...(world !== undefined && { world }),
    }),
  ),
  ...worldRows,
  ...sandboxRows,
  ...stateRows,
  ...journalRows,
  ...scenarioRows,
}

/** The operations of the control API, for clients, which know only the types. */
export type Rows = typeof rows
