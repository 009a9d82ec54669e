import type { PolicyOverrides, Profile } from '../../policies/settings.ts'
import type { ActorRequest } from '../../sandbox/actors/actor-request.ts'
import type { FaultRequest } from '../../sandbox/faults/fault-request.ts'
import type { StatusFilter } from '../../sandbox/journal/filter.ts'
import type { ClockSetting, Duration } from '../../world/clock/clock.ts'
import type { DeletedRows, NewRows, UpdatedRows } from '../../world/edit/add-rows.ts'
import type { WorldJson } from '../../world/world-json.ts'

/** What happened once, to happen again: requests with what they are answered, and changes of the world. */
export interface Scenario {
  /** Address of the schema, for editors */
  readonly $schema?: string
  /** Of this format; 1 when missing */
  readonly format_version?: number
  readonly title: string
  readonly description?: string
  /** The name of a fixture, or a world. What is not said here and below is as where it is replayed. */
  readonly world?: string | WorldJson
  /** What generated values follow from; by default that of the world */
  readonly seed?: number
  readonly profile?: Profile
  /** Policies that differ from the profile */
  readonly policies?: PolicyOverrides
  readonly clock?: ClockSetting
  readonly steps: readonly Step[]
}

/** A step is known by its first word: `method` of a request, else the change that it makes. */
export type Step = RequestStep | ChangeStep

/**
 * A request. In its path, its query and its headers `{name}` stands for a saved value, `{base_url}` for where the
 * API begins, and `{{name}}` for itself; in its body `{ "$saved": "name" }` and `{ "$text": "…{name}…" }` do.
 */
export interface RequestStep {
  readonly title?: string
  /** The label of a key; without one the request has none, unless its headers say */
  readonly as?: string
  readonly method: string
  /** From the base URL on; or `{name}`, where an address of the API was saved */
  readonly path: string
  readonly query?: Readonly<Record<string, string | number | boolean>>
  readonly headers?: Readonly<Record<string, string>>
  /** Sent as JSON */
  readonly body?: unknown
  /** Sent as it is, in place of a body; `{ "$text": "…{name}…" }` where it has saved values */
  readonly text?: string | { readonly $text: string }
  /** Bytes that are no text, in base64, in place of a body */
  readonly base64?: string
  readonly expect?: ExpectedResponse
  /** Values of the answer for later steps: JSON Pointers into its body, by the name they get */
  readonly save?: Readonly<Record<string, string>>
}

/** What is expected of an answer. What is left out does not matter. */
export interface ExpectedResponse {
  /** Such as 404 or "4xx" */
  readonly status?: StatusFilter
  /** By name; null for one that is not there */
  readonly headers?: Readonly<Record<string, unknown>>
  /** Part of the body: fields that are not named do not matter, but lists have no more items */
  readonly body?: unknown
  /** The whole body: no more fields than these */
  readonly exact_body?: unknown
  /** The body as it was sent, byte for byte; `{ "$text": "…{base_url}…" }` where it has addresses */
  readonly text?: string | { readonly $text: string }
  /** The body in base64, byte for byte, where it is no text */
  readonly base64?: string
  /** The connection breaks in place of an answer, or within its body */
  readonly broken?: true
}

/** A change of the world between two requests. */
export type ChangeStep = {
  readonly title?: string
} & (RowsStep | Exclude<Change, { readonly rows: NewRows }>)

/** Rows that are added; their ids can be saved: `/annotations/0` is that of the first annotation. */
export interface RowsStep {
  readonly rows: NewRows
  readonly save?: Readonly<Record<string, string>>
}

/**
 * What is changed, by one word. `world` replaces all rows, and is what `reset` goes back to from there; `remove` ends
 * a fault or a second actor by its id, such as `fault-1`; `revoke` ends the key of a label.
 */
export type Change =
  | { readonly rows: NewRows }
  | { readonly update: UpdatedRows }
  | { readonly delete: DeletedRows }
  | { readonly world: WorldJson }
  | { readonly clock: ClockSetting }
  | { readonly advance: Duration }
  | { readonly fault: FaultRequest }
  | { readonly actor: ActorRequest }
  | { readonly remove: string }
  | { readonly clear: 'faults' | 'actors' }
  | { readonly revoke: string }
  | { readonly profile: Profile }
  | { readonly policies: PolicyOverrides }
  | { readonly snapshot: string }
  | { readonly restore: string }
  | { readonly reset: true }

/** The word of each kind of change. */
export const changeKinds = [
  'rows',
  'update',
  'delete',
  'world',
  'clock',
  'advance',
  'fault',
  'actor',
  'remove',
  'clear',
  'revoke',
  'profile',
  'policies',
  'snapshot',
  'restore',
  'reset',
] as const

/** The word of a kind of change. */
export type ChangeKind = (typeof changeKinds)[number]

/** Whether a step asks the API. */
export function isRequestStep(step: Step): step is RequestStep {
  return 'method' in step
}

/** Of this version. */
export const scenarioVersion = 1

/** A scenario that is at hand, without its steps. */
export interface ListedScenario {
  /** Of its file, without `.json` */
  readonly name: string
  readonly title: string
  readonly description: string | null
  readonly steps: number
  /** Whether it came with the package, or stands in a folder of the user's own */
  readonly from: 'package' | 'folder'
  /** Why it cannot be replayed; null where it can */
  readonly fault: string | null
}

/** The scenarios that are at hand. */
export interface ScenarioLibrary {
  /** By name, those of the folder first. */
  list(): Promise<ListedScenario[]>
  /** One of them; undefined where there is none. @throws UsageError with every fault of it */
  read(name: string): Promise<Scenario | undefined>
}
