import type { JournalPolicy } from '../../sandbox/journal/entry.ts'
import type { ClockReading } from '../../world/clock/clock.ts'
import type { AddedIds } from '../../world/edit/add-rows.ts'
import type { Change } from '../format/scenario.ts'

/** A request as it is sent. */
export interface SentRequest {
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string | Uint8Array<ArrayBuffer>
}

/** What came of a request. */
export interface ReceivedResponse {
  /** 0 where the connection broke before an answer */
  readonly status: number
  readonly headers: Headers
  /** The body as text; bytes that are no text in it are signs U+FFFD */
  readonly text: string
  /** The whole body in base64, where it is no text */
  readonly base64?: string
  /** Whether the connection broke, before the answer or within its body */
  readonly broken: boolean
}

/** Where a scenario is replayed. */
export interface Target {
  /** Where the API begins, without a slash at its end */
  readonly baseUrl: string
  /** The value of a key by its label; undefined where there is none */
  key(label: string): string | undefined
  /** @throws UnreachableError where nothing answers at all */
  send(request: SentRequest): Promise<ReceivedResponse>
  /** Changes the world. @returns the ids of added rows @throws UsageError for what cannot be done */
  change(change: Change): Promise<AddedIds>
  /** The policies that the last answer came from; none where they are not known */
  policies(): Promise<readonly JournalPolicy[]>
  /** What every policy is set to; none where that is not known */
  settings(): Promise<Readonly<Record<string, string | number>>>
  /** The world as it is, as JSON text in pieces; null where it is not known, and cannot be changed */
  world(): Promise<Iterable<string> | null>
  /** What its clock shows; null where that is not known */
  clock(): Promise<ClockReading | null>
  /** Frees what was made for the replay. */
  close(): Promise<void>
}
