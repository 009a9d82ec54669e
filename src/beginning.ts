import type { AnnotationsWorld } from './annotations/annotations.ts'
import type { JournalLimits } from './journal/journal.ts'
import type { PluginsWorld } from './plugins/world.ts'
import type { PolicySettings } from './policies/policies.ts'
import type { ProjectsWorld } from './projects/projects.ts'
import type { Clock } from './world/clock.ts'
import type { LoadedWorld } from './world/load.ts'

/** What the endpoints of the service work with. */
export type World = AnnotationsWorld & PluginsWorld & ProjectsWorld

/** How a sandbox begins. */
export interface SandboxOptions {
  readonly loaded: LoadedWorld
  readonly settings: PolicySettings
  readonly clock: Clock
  readonly journal?: JournalLimits | undefined
  /** Told of exceptions inside. */
  readonly report: (error: unknown) => void
}
