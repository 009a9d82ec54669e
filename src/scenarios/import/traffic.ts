import type { SettingValues } from '../../settings/setting.ts'
import type { ClockSetting } from '../../world/clock/clock.ts'
import type { WorldJson } from '../../world/world-json.ts'
import type { ChangeStep, RequestStep } from '../format/scenario.ts'
import type { Observation } from './observation.ts'
import type { Skew } from './order.ts'
import type { SeenLists, UnseenChanges } from './unseen-changes.ts'

/** A recorded request, and the step that sends it. */
export interface TrafficRequest {
  readonly observation: Observation
  /** Null if no step can send it */
  readonly step: RequestStep | null
}

/** Requests, and what may be tried to explain their responses. */
export interface Traffic {
  /** In the order in which the service processed them */
  readonly requests: readonly TrafficRequest[]
  readonly seen: SeenLists
  readonly skew: Skew | null
  /** The world before the first request: rows, or the name of a fixture. Null if it is not known */
  worldOf(unseen: UnseenChanges): WorldJson | string | null | undefined
  /** The fault that a request meets */
  faultOf(observation: Observation, unseen: UnseenChanges): ChangeStep | null
  /** Whether the rows before the first request follow from the responses */
  readonly hasOwnWorld: boolean
  readonly clock: ClockSetting | undefined
  /** By default those of the profile that explains more responses */
  readonly settings?: SettingValues
  /** Whether to add what others may have changed if the service has the settings of another profile */
  readonly doubtsSettings: boolean
}
