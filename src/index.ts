import type { Sandboxes as SandboxesOf } from './sandbox/sandboxes/sandboxes.ts'
import type { Replay as ReplayOf } from './scenarios/replay-server/replay.ts'
import type { Simulator } from './simulator.ts'

export type { Har } from 'har-format'
export { clientRules, findClientMistakes } from './analysis/client-rules/client-mistakes.ts'
export type { ClientMistake, ClientRule } from './analysis/client-rules/rule.ts'
export type { JournalAccess } from './analysis/journal-access.ts'
export type {
  ExplainedResponse,
  Reason,
  ResponseReasons,
  SuggestedRequest,
} from './analysis/reasons/response-reasons.ts'
export type { SimulatorReplayOptions } from './analysis/replay-in-simulator.ts'
export type {
  KeyReport,
  ReportItem,
  RunReport,
  SettingItem,
} from './analysis/report/report-schema.ts'
export type { Assumption } from './analysis/traffic/assumption.ts'
export type { TestFile, TestRunner } from './analysis/traffic/test-files/test-file.ts'
export type { OperationId } from './api/operation-id.ts'
export type {
  Exchange,
  ExchangedBody,
  ExchangedMessage,
  ExchangedResponse,
} from './http/exchange.ts'
export type { ApiError } from './http/failures.ts'
export type { Page } from './http/parameters.ts'
export type { EndpointSuggestion } from './http/unknown-path.ts'
export type {
  CreatedSandbox,
  Remote,
  RemoteJournal,
  RemoteSandboxes,
  RemoteWorld,
} from './remote/connect.ts'
export { type ConnectOptions, connect } from './remote/connect.ts'
export { RemoteError } from './remote/connection.ts'
export type { FollowOptions } from './remote/follow-journal.ts'
export { type ReplayAtOptions, replayAt } from './remote/replay-at.ts'
export {
  type ReplayHandlers,
  type ReplayHandlersOptions,
  replayHandlers,
} from './replay.ts'
export type {
  FaultDelay,
  FaultEffect,
  FaultInfo,
  FaultMethod,
  FaultPhase,
  FaultRule,
  FaultWhen,
  ResponseVariant,
  VariantKind,
} from './sandbox/faults/fault.ts'
export type { Faults } from './sandbox/faults/faults.ts'
export type { FaultRequest } from './sandbox/faults/schema.ts'
export type {
  JournalChange,
  JournalEntry,
  JournalFault,
  JournalMessage,
  JournalResponse,
  JournalSetting,
  MaskedKey,
} from './sandbox/journal/entry.ts'
export type { RequestSummary } from './sandbox/journal/entry-writer.ts'
export type { JournalFilter, StatusFilter } from './sandbox/journal/filter.ts'
export type { JournalLimits } from './sandbox/journal/journal.ts'
export type {
  Expectation,
  NearMiss,
  VerifyResult,
} from './sandbox/journal/verify.ts'
export type { ForkOptions, SimulatorOptions } from './sandbox/options.ts'
export type { SandboxInfo, SandboxRequest } from './sandbox/sandboxes/sandboxes.ts'
export type { ResetOptions, ResetPart } from './sandbox/service.ts'
export type { SnapshotInfo, Snapshots } from './sandbox/snapshots.ts'
export type {
  Change,
  ChangeStep,
  ExpectedResponse,
  ListedScenario,
  RequestStep,
  RowsStep,
  Scenario,
  Step,
} from './scenarios/format/scenario.ts'
export type { RecordOptions } from './scenarios/recording/capture-journal.ts'
export type { RecorderOptions } from './scenarios/recording/recorder.ts'
export {
  type Recording,
  type RecordingHead,
  recordingOf,
} from './scenarios/recording/recorder.ts'
export type { RecordedRequest } from './scenarios/replay-server/match-request.ts'
export type {
  NearestRequest,
  UnexpectedRequest,
} from './scenarios/replay-server/replay-options.ts'
export type { StepDifference } from './scenarios/run/differences.ts'
export type {
  DecidingSetting,
  ReplayResult,
  StepResponse,
  StepResult,
} from './scenarios/run/result.ts'
export { scenarioReport } from './scenarios/run/result.ts'
export type { ReplayOptions } from './scenarios/run/run-scenario.ts'
export type { SettingInfo, Settings } from './settings/access.ts'
export type { Profile, SettingOverrides } from './settings/resolve.ts'
export {
  type Setting,
  type SettingId,
  type SettingValue,
  type SettingValues,
  settingsById as settings,
} from './settings/setting.ts'
export { createSimulator } from './simulator.ts'
export type { Difference } from './utils/diff.ts'
export { UsageError } from './utils/errors.ts'
export { UnreachableError } from './utils/network.ts'
export type {
  Clock,
  ClockMode,
  ClockModeAndTime,
  ClockReading,
  ClockSetting,
  Time,
} from './world/clock/clock.ts'
export type { Duration } from './world/clock/duration.ts'
export type { Defaults } from './world/defaults.ts'
export type { AddedIds, NewRows } from './world/edit/add-rows.ts'
export type { AnnotationQuery, FoundRows, RowQuery } from './world/edit/find-rows.ts'
export type { RowCounts } from './world/edit/generate-rows.ts'
export type { RowAccess, WorldAccess } from './world/edit/world-access.ts'
export type {
  Annotation,
  AnnotationChanges,
  AnnotationScope,
  CreationType,
} from './world/entities/annotation.ts'
export type { NewPlugin, Plugin, PluginChanges } from './world/entities/plugin.ts'
export type { Project } from './world/entities/project.ts'
export type { CreatedBy } from './world/entities/user.ts'
export type { KeyRequest, Keys, Scope } from './world/keys.ts'
export type { BuiltInWorld, Snapshot } from './world/load/build-world.ts'
export {
  type PersistOptions,
  persistIn,
  type StateStorage,
} from './world/persistence/persist-in-storage.ts'
export type * from './world/rows.ts'
export type * from './world/world-json.ts'
export type { Simulator }
/** The sandboxes of a simulator. */
export type Sandboxes = SandboxesOf<Simulator>
/** A replay that answers in front of a simulator. */
export type Replay = ReplayOf<Simulator>
