export type {
  ActorError,
  ActorInfo,
  ActorRequest,
  ActorStep,
  Moment,
} from './actors/request.ts'
export type { Annotation, AnnotationChanges, CreatedBy } from './annotations/annotation.ts'
export type { Snapshot } from './beginning.ts'
export type { Defaults } from './defaults.ts'
export type { FaultRequest } from './faults/request.ts'
export type {
  FaultDelay,
  FaultEffect,
  FaultInfo,
  FaultMethod,
  FaultPhase,
  FaultRule,
  FaultWhen,
} from './faults/rule.ts'
export type { ApiError } from './http/failure.ts'
export type { Page } from './http/page.ts'
export type { KeyRequest } from './keys.ts'
export { type PersistOptions, persistIn, type StateStorage } from './persistence/persist-in.ts'
export type { NewPlugin, PluginChanges } from './plugins/changes.ts'
export type { Plugin } from './plugins/plugin.ts'
export type { PolicyId, PolicySettings } from './policies/policies.ts'
export { policies } from './policies/policies.ts'
export type { Policy } from './policies/policy.ts'
export type { PolicyOverrides, Profile } from './policies/settings.ts'
export type { Project } from './projects/project.ts'
export { createSimulator, type Simulator } from './simulator.ts'
export type { SimulatorOptions } from './simulator-options.ts'
export { UsageError } from './usage-error.ts'
export type { ClockReading } from './world/clock.ts'
export type { ClockMode, ClockModeAndTime, ClockSetting } from './world/clock-setting.ts'
export type { Duration } from './world/duration.ts'
export type * from './world/rows.ts'
export type { Time } from './world/time.ts'
export type * from './world/world-json.ts'
