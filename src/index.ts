export type { Actors } from './actors/actors.ts'
export type {
  ActorError,
  ActorInfo,
  ActorRequest,
  ActorStep,
  ActorTrigger,
  AnnotationReference,
  AnnotationWrite,
  PluginReference,
  PluginWrite,
} from './actors/request.ts'
export type {
  Annotation,
  AnnotationChanges,
  AnnotationScope,
  CreatedBy,
  CreationType,
} from './annotations/annotation.ts'
export type { Words } from './control/list-words.ts'
export type { Defaults } from './defaults.ts'
export type { Difference } from './differences.ts'
export type { Faults } from './faults/faults.ts'
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
export type { Har } from './har/archive.ts'
export type { FieldProvenance, RequestSource, RowProvenance, WriteSource } from './history/why.ts'
export type { ApiError } from './http/failure.ts'
export type { Page } from './http/page.ts'
export type { JournalAccess } from './journal/access.ts'
export type { RequestSummary } from './journal/brief.ts'
export type * from './journal/entry.ts'
export type {
  CountedExpectation,
  Expectation,
  ExpectedRequest,
  OrderedExpectation,
} from './journal/expectation.ts'
export type { JournalFilter, StatusFilter } from './journal/filter.ts'
export type { JournalLimits } from './journal/journal.ts'
export type { NearMiss } from './journal/misses.ts'
export type { VerifyResult } from './journal/verify.ts'
export type { KeyRequest, Keys } from './keys.ts'
export { type PersistOptions, persistIn, type StateStorage } from './persistence/persist-in.ts'
export type { NewPlugin, PluginChanges } from './plugins/changes.ts'
export type { Plugin } from './plugins/plugin.ts'
export type { PolicyInfo } from './policies/info.ts'
export type { PolicyId, PolicySetting, PolicySettings } from './policies/policies.ts'
export { policies } from './policies/policies.ts'
export type { Policy } from './policies/policy.ts'
export type { Policies } from './policies/running.ts'
export type { PolicyOverrides, Profile } from './policies/settings.ts'
export type { Project } from './projects/project.ts'
export type {
  Exchange,
  ExchangedBody,
  ExchangedMessage,
  ExchangedResponse,
} from './recordings/exchange.ts'
export type { RecordOptions } from './recordings/record-options.ts'
export type { RecorderOptions } from './recordings/recorder.ts'
export { type Recording, type RecordingHead, recordingOf } from './recordings/recording.ts'
export { type ConnectOptions, connect } from './remote/connect.ts'
export type {
  RemoteActors,
  RemoteClock,
  RemoteFaults,
  RemoteKeys,
  RemoteSnapshots,
} from './remote/groups.ts'
export type { FollowOptions, RemoteJournal } from './remote/journal.ts'
export type { RemotePolicies } from './remote/policies.ts'
export type { Remote } from './remote/remote.ts'
export { RemoteError } from './remote/remote-error.ts'
export type { RemoteReplay } from './remote/replaying.ts'
export type { CreatedSandbox, RemoteSandboxes } from './remote/sandboxes.ts'
export type { RemoteReplayOptions, RemoteScenarios } from './remote/scenarios.ts'
export type { RemoteWorld } from './remote/world.ts'
export type { RecordingChanges } from './replay-server/carry-over.ts'
export type { ReplayMode } from './replay-server/mode.ts'
export type { NearestRequest, UnexpectedRequest } from './replay-server/nearest-recorded.ts'
export type { RecordedRequest } from './replay-server/recorded.ts'
export type { Replay } from './replay-server/replay.ts'
export {
  type ReplayHandlers,
  type ReplayHandlersOptions,
  replayHandlers,
} from './replay-server/replay-handlers.ts'
export type { RowCounts } from './rows/generate-rows.ts'
export type { AddedIds, NewRows } from './rows/new-rows.ts'
export type { SandboxInfo } from './sandboxes/info.ts'
export type { SandboxRequest } from './sandboxes/request.ts'
export type { Sandboxes } from './sandboxes/sandboxes.ts'
export type { ListedScenario } from './scenarios/library.ts'
export type { ReplayOptions } from './scenarios/replay.ts'
export { type ReplayAtOptions, replayAt } from './scenarios/replay-at.ts'
export { scenarioReport } from './scenarios/report.ts'
export type * from './scenarios/result.ts'
export type {
  Change,
  ChangeStep,
  ExpectedResponse,
  RequestStep,
  RowsStep,
  Scenario,
  Step,
} from './scenarios/scenario.ts'
export { UnreachableError } from './scenarios/unreachable.ts'
export { createSimulator, type Simulator } from './simulator.ts'
export type { SimulatorOptions } from './simulator-options.ts'
export type { Snapshot } from './snapshot.ts'
export type { SnapshotInfo, Snapshots } from './snapshots/snapshots.ts'
export { UsageError } from './usage-error.ts'
export type { WorldAccess } from './world/access.ts'
export type { BuiltInWorld } from './world/built-in.ts'
export type { Clock, ClockReading } from './world/clock.ts'
export type { ClockMode, ClockModeAndTime, ClockSetting } from './world/clock-setting.ts'
export type { Duration } from './world/duration.ts'
export type { FoundRows } from './world/find-rows.ts'
export type { RowAccess } from './world/row-access.ts'
export type { AnnotationQuery, RowQuery } from './world/row-query.ts'
export type * from './world/rows.ts'
export type { Time } from './world/time.ts'
export type { Timeline, TimelineStep, TimelineUnit } from './world/timeline.ts'
export type * from './world/world-json.ts'
