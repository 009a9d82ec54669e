import type { Profile } from '../../settings/profiles.ts'
import type { SettingOverrides } from '../../settings/resolve.ts'
import { describeEffect } from '../../simulator/faults/fault.ts'
import type { FaultRequest } from '../../simulator/faults/schema.ts'
import type { StatusFilter } from '../../simulator/journal/filter.ts'
import type { Expectation } from '../../simulator/journal/verify.ts'
import type { ResetPart } from '../../simulator/options.ts'
import type { Json } from '../../utils/json.ts'
import type { ClockSetting, Duration } from '../../world/clock/clock.ts'
import type { NewRows, RowEdit } from '../../world/edit/edit-rows.ts'
import type { WorldJson } from '../../world/world-json.ts'

/**
 * A sequence of requests with their expected responses, and changes of the world between them. A scenario can be
 * run in a simulator, and one without changes against any base URL.
 */
export interface Scenario {
  /** The URL or path of the JSON Schema, for editors */
  readonly $schema?: string
  /** The version of the format. By default 1 */
  readonly format_version?: number
  readonly title: string
  readonly description?: string
  /**
   * The name of a fixture (with `simulator.run`, of a loaded one), or a world. Without this and the following settings, a run
   * uses those of the simulator it runs in.
   */
  readonly world?: string | WorldJson
  /** The seed for generated values. By default that of its `world` */
  readonly seed?: number
  readonly profile?: Profile
  /** Settings that differ from the profile */
  readonly settings?: SettingOverrides
  readonly clock?: ClockSetting
  readonly steps: readonly Step[]
  /** What a client of its own meets in the place of the recorded one, and what is expected of it */
  readonly test?: ScenarioTest
}

/** A test of a client, in the world of a scenario. */
export interface ScenarioTest {
  /** The faults that the client meets. Each counts the requests before its own one */
  readonly faults: readonly FaultRequest[]
  /** The same, with creates carried out that failed and were not: a client cannot know, so a test tries both */
  readonly faults_after_commit?: readonly FaultRequest[]
  readonly expect: readonly TestExpectation[]
}

/**
 * What a test expects after all requests of a client: rows, requests that `journal.verify` finds, or that a rule about clients
 * is kept.
 */
export type TestExpectation = {
  /** The failure that breaks it, as a clause */
  readonly failure: string
} & (
  | { readonly rows: ExpectedRows }
  | { readonly received: Expectation }
  /** The id of a rule */
  | { readonly no_mistake: string }
)

/** How many rows with these values a world has. */
export interface ExpectedRows {
  readonly list: 'annotations' | 'plugins'
  /** Fields of rows in the world format */
  readonly where: Readonly<Record<string, Json>>
  readonly count: number
}

/** A scenario of a JSON module, of whose steps TypeScript knows no more. They are checked when they are used. */
export interface ScenarioJson {
  readonly title: string
  readonly steps: readonly object[]
  readonly world?: string | WorldJson
}

/** A scenario in code, or as a JSON module. */
export type ScenarioSource = Scenario | ScenarioJson

/** A request, recognized by its `method`, or a change of the world. */
export type Step = RequestStep | ChangeStep

/**
 * A request. In its path, query and headers, `{name}` is a saved value, `{base_url}` the base URL of the API, and
 * `{{name}}` the text `{name}`. In its body, `{ "$saved": "name" }` is a saved value, and `{ "$saved": "…{name}…" }` a text with
 * some. A body `{ "$match": "any" }` was left out of the recording.
 */
export interface RequestStep {
  readonly title?: string
  /** The label of the key. By default the request has no key, unless its headers contain one */
  readonly as?: string
  readonly method: string
  /** Relative to the base URL, or `{name}` for a saved URL of the API */
  readonly path: string
  readonly query?: Readonly<Record<string, string | number | boolean>>
  readonly headers?: Readonly<Record<string, string>>
  /** Sent as JSON */
  readonly body?: unknown
  /** Sent as it is, instead of a JSON body. `{ "$saved": "…{name}…" }` contains saved values */
  readonly text?: string | { readonly $saved: string }
  readonly expect?: ExpectedResponse
  /** Values of the response body for later steps: JSON Pointers by the names of the saved values */
  readonly save?: Readonly<Record<string, string>>
}

/** The expected response. Fields that are left out are not compared. */
export interface ExpectedResponse {
  /** A status such as 404, a class of them such as "4xx", or 0 for no response */
  readonly status?: StatusFilter
  /** By name. Null expects that the response has no such header */
  readonly headers?: Readonly<Record<string, unknown>>
  /** A part of the body. The response can have more fields, but its lists must have the same length */
  readonly body?: unknown
  /** The whole body. The response can have no other fields */
  readonly exact_body?: unknown
  /** The whole body as text. `{ "$saved": "…{base_url}…" }` for a text with URLs of the API */
  readonly text?: string | { readonly $saved: string }
  /** The connection breaks before the response, or within its body */
  readonly broken?: true
}

/** A change of the world between two requests. */
export type ChangeStep = {
  readonly title?: string
} & (RowsStep | Exclude<Change, { readonly rows: NewRows }>)

/** Adds rows. Their ids can be saved: `/annotations/0` is the id of the first annotation. */
export interface RowsStep {
  readonly rows: NewRows
  readonly save?: Readonly<Record<string, string>>
}

/**
 * A change of the world. `world` replaces all rows, and a later `reset` restores these rows. `remove` removes a fault
 * by its id, such as `fault-1`. `revoke` revokes a key by its label. `reset: true` restores the rows, and a list
 * restores the parts that it names.
 */
export type Change =
  | RowEdit
  | { readonly world: WorldJson }
  | { readonly clock: ClockSetting }
  | { readonly advance: Duration }
  | { readonly fault: FaultRequest }
  | { readonly remove: string }
  | { readonly clear: 'faults' }
  | { readonly revoke: string }
  | { readonly profile: Profile }
  | { readonly settings: SettingOverrides }
  | { readonly reset: true | readonly ResetPart[] }

/** The field that a change has. */
export type ChangeKind = Change extends infer Each
  ? Each extends unknown
    ? keyof Each
    : never
  : never

export function isRequestStep(step: Step): step is RequestStep {
  return 'method' in step
}

export function changeKindOf(step: ChangeStep): ChangeKind {
  return Object.keys(step).find((name) => name !== 'title' && name !== 'save') as ChangeKind
}

/** The title of a step. By default its method and path, its fault, or its kind of change. */
export function stepTitle(step: Step): string {
  if (step.title !== undefined) return step.title
  if (isRequestStep(step)) return `${step.method} ${step.path}`
  if (!('fault' in step)) return changeKindOf(step)
  const { fault } = step
  return `fault: ${'preset' in fault ? fault.preset : describeEffect(fault.effect, fault.phase)}`
}

export const scenarioVersion = 1

/** A scenario in a list of scenarios, without its steps. */
export interface ListedScenario {
  /** The name of its file, without `.json` */
  readonly name: string
  readonly title: string
  readonly description: string | null
  readonly steps: number
  /** Whether the scenario is part of the package, or of a folder of the user */
  readonly from: 'package' | 'folder'
  /** What is invalid in its file. Null if nothing is */
  readonly issue: string | null
}

export interface ScenarioLibrary {
  /** Lists the scenarios of the folder, then those of the package, by name. */
  list(): Promise<ListedScenario[]>
  /** Lists the names only, without reading the files. */
  names(): Promise<string[]>
  /** Returns undefined for an unknown name. @throws UsageError with up to 100 issues of the scenario */
  read(name: string): Promise<Scenario | undefined>
}
