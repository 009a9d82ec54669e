import type { Base } from '../http/base.ts'
import type { WorldSandbox } from '../sandbox.ts'
import type { Simulator } from '../simulator.ts'
import type { Sources } from './sources.ts'

/** What sandboxes stand beside. */
export interface Host {
  readonly sandbox: WorldSandbox
  readonly base: Base
  readonly snapshots: Sources['snapshots']
  /** The most sandboxes there can be at once; 0 for a sandbox, which has none of its own. */
  readonly limit: number
  /** Makes a simulator of a sandbox. */
  readonly open: (sandbox: WorldSandbox) => Simulator
}
