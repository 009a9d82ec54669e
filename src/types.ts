// What the entries return and take: a helper of a project that is compiled with declarations names these types.
export type { Har } from 'har-format'
export type { CreatedSandbox, FollowOptions, Remote, RemoteRunOptions } from './admin/connect.ts'
export type { Health } from './admin/operations.ts'
export type { RunAtOptions } from './admin/run-at.ts'
export type {
  Exchange,
  ExchangedBody,
  ExchangedMessage,
  ExchangedResponse,
  HeaderPair,
  LostResponse,
} from './http/exchange.ts'
export type { ApiError, FailureName } from './http/failures.ts'
export type { Page } from './http/fields/body-fields.ts'
export type { OperationId } from './http/operation-id.ts'
export type { OpenedRecording, TestPhase, VerifiedTest } from './import/scenario-simulator.ts'
export type {
  As,
  Caller,
  SimulatorContext,
  SimulatorFixtures,
  TestOptions,
} from './integrations/testing/fixtures.ts'
export type {
  ClientMistakeOptions,
  MatcherResult,
  SimulatorMatcherFunctions,
} from './integrations/testing/matchers.ts'
export type { ClientMistake } from './mistakes/rule.ts'
export type { MistakeMode } from './report/mistake-lines.ts'
export type { ParsedScenario } from './scenarios/format/check-scenario.ts'
export type {
  ExpectedResponse,
  ExpectedRows,
  ListedScenario,
  RequestStep,
  RowsStep,
  Scenario,
  ScenarioJson,
  ScenarioSource,
  ScenarioTest,
  Step,
  TestExpectation,
} from './scenarios/format/scenario.ts'
export type { RecordOptions } from './scenarios/recording/capture-journal.ts'
export type { RecorderOptions, Recording, RecordingHead } from './scenarios/recording/recorder.ts'
export type { RunOptions, SimulatorRunOptions } from './scenarios/run/options.ts'
export type {
  DecidingSetting,
  RunResult,
  StepDifference,
  StepResponse,
  StepResult,
  Undecided,
} from './scenarios/run/result.ts'
export type { RunningServer } from './server/running-server.ts'
export type { DocumentLine } from './settings/document.ts'
export type { Evidence, PossibleValue } from './settings/evidence.ts'
export type { Profile } from './settings/profiles.ts'
export type { SettingInfo, SettingOverrides, Settings } from './settings/resolve.ts'
export type { Setting, SettingId, SettingValue, SettingValues } from './settings/setting.ts'
export type {
  FaultEffect,
  FaultInfo,
  FaultPhase,
  FaultRule,
  FaultWhen,
  WaitingRequest,
} from './simulator/faults/fault.ts'
export type { Faults } from './simulator/faults/faults.ts'
export type { PresetName } from './simulator/faults/presets.ts'
export type { FaultRequest } from './simulator/faults/schema.ts'
export type { JournalEntry } from './simulator/journal/entry.ts'
export type { EntryQuery, JournalFilter, StatusFilter } from './simulator/journal/filter.ts'
export type { JournalLimits } from './simulator/journal/journal.ts'
export type { JournalReader } from './simulator/journal/journal-reader.ts'
export type { Expectation, NearMiss, VerifyResult } from './simulator/journal/verify.ts'
export type { ForkOptions, ResetOptions, ResetPart, SimulatorOptions } from './simulator/options.ts'
export type {
  ExplainedResponse,
  Reason,
  ReportedSetting,
  ResponseReasons,
  RunReport,
  SuggestedRequest,
} from './simulator/response-reasons.ts'
export type { ChosenKey } from './simulator/sandboxes/sandbox-keys.ts'
export type {
  Sandboxes,
  SandboxInfo,
  SandboxRequest,
} from './simulator/sandboxes/sandboxes.ts'
export type { Simulator } from './simulator/simulator.ts'
export type { Issue, Path } from './utils/errors.ts'
export type { Json, Mutable } from './utils/json.ts'
export type { FindingLevel, RequestFinding } from './utils/reports/report.ts'
export type {
  Clock,
  ClockModeAndTime,
  ClockReading,
  ClockSetting,
  Duration,
  Time,
} from './world/clock/clock.ts'
export type { Defaults } from './world/defaults.ts'
export type { AddedIds, NewRows, RowEdit, RowEdits, World } from './world/edit/edit-rows.ts'
export type { FoundRows, RowAccess, RowQuery } from './world/edit/world-access.ts'
export type { Annotation, AnnotationRow } from './world/entities/annotation.ts'
export type {
  ActivityRow,
  CreatedBy,
  DashboardItemRow,
  KeyRow,
  OrganizationRow,
  Project,
  ProjectRow,
  UserRow,
} from './world/entities/organization.ts'
export type {
  Plugin,
  PluginConfigRow,
  PluginRow,
  PluginVersion,
  RepositoryRow,
  SourceFiles,
} from './world/entities/plugin.ts'
export type { KeyRequest, Keys, Scope } from './world/keys.ts'
export type { FixtureName, Snapshot, WorldSource } from './world/load/load-world.ts'
export type {
  PersistableWorld,
  PersistOptions,
  WorldStorage,
} from './world/persistence/persist-in-storage.ts'
export type {
  CountedList,
  EditableList,
  GivenFields,
  PartialWorldJson,
  Row,
  RowJson,
  WorldJson,
} from './world/world-json.ts'
