import type { BaseUrl } from '../http/base.ts'
import type { Sandbox } from '../sandbox.ts'
import type { Simulator } from '../simulator.ts'
import type { WorldSources } from './sources.ts'

/** What sandboxes stand beside. */
export interface SandboxHost {
  readonly sandbox: Sandbox
  readonly base: BaseUrl
  readonly snapshots: WorldSources['snapshots']
  /** The most sandboxes there can be at once; 0 for a sandbox, which has none of its own. */
  readonly limit: number
  /** Makes a simulator of a sandbox. */
  readonly open: (sandbox: Sandbox) => Simulator
}
