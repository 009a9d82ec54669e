import type { Scenario } from '../scenarios/format/scenario.ts'
import type { Profile, SettingOverrides } from '../settings/resolve.ts'

/** What a server says of itself, to everybody. */
export interface Health {
  readonly name: string
  readonly status: 'ready'
  readonly version: string
  /** Only of `serve`: the fixture, or the name of the file */
  readonly world?: string
}

/** A scenario, or the name of a listed one, and how it runs. */
export interface ReplayRequest {
  readonly scenario: string | Scenario
  /** The world of a scenario that names none: a fixture or a snapshot. By default the current rows. */
  readonly world?: string
  /** Replaces the profile of the scenario. */
  readonly profile?: Profile
  /** Overrides settings of the scenario. */
  readonly settings?: SettingOverrides
  /** Whether the steps run in this world, without the setup and the faults of the scenario. False by default. */
  readonly in_place?: boolean
}
