import type { Words } from '../control/list-words.ts'
import type { RowProvenance } from '../history/why.ts'
import type { RecordOptions } from '../recordings/record-options.ts'
import type { Recording } from '../recordings/recording.ts'
import type {
  RemoteActors,
  RemoteClock,
  RemoteFaults,
  RemoteKeys,
  RemoteSnapshots,
} from './groups.ts'
import type { RemoteJournal } from './journal.ts'
import type { RemotePolicies } from './policies.ts'
import type { RemoteReplay } from './replaying.ts'
import type { RemoteSandboxes } from './sandboxes.ts'
import type { RemoteScenarios } from './scenarios.ts'
import type { RemoteWorld } from './world.ts'

/** A simulator in another process, in the words of the one in-process. Each call may throw a RemoteError. */
export interface Remote {
  /** Where the API of this simulator begins, without a slash at its end. */
  readonly url: string
  readonly world: RemoteWorld
  readonly sandboxes: RemoteSandboxes
  readonly snapshots: RemoteSnapshots
  readonly clock: RemoteClock
  readonly keys: RemoteKeys
  readonly policies: RemotePolicies
  readonly faults: RemoteFaults
  readonly journal: RemoteJournal
  readonly actors: RemoteActors
  readonly replaying: RemoteReplay
  readonly scenarios: RemoteScenarios
  /** Asks the API itself; a path is taken from `url` on. */
  fetch(input: Request | string | URL, init?: RequestInit): Promise<Response>
  /** Goes back to the rows it began with. */
  reset(): Promise<void>
  /** Which request, second actor or edit each field of a row comes from; undefined for a row that never was. */
  why(resource: string, id: number | string): Promise<RowProvenance | undefined>
  /** What was asked as a scenario, as far as the journal keeps it. */
  record(options?: RecordOptions): Promise<Recording>
  /** Whether the server is ready, and its version. */
  health(): Promise<{ readonly status: 'ready'; readonly version: string }>
  /** The words that rules and rows take. */
  words(): Promise<Words>
  /** The OpenAPI document of the control API. */
  openapi(): Promise<Record<string, unknown>>
}
