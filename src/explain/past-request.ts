import { type ApiRoute, findPath } from '../api/endpoints.ts'
import { answerCall } from '../http/check.ts'
import { type ApiWorld, Call } from '../http/endpoint.ts'
import { type ApiRequest, type ApiResponse, queryString } from '../http/messages.ts'
import { apiPath, isApiPath } from '../http/route.ts'
import { endpointNotFound } from '../http/unknown-path.ts'
import {
  type OtherNumbers,
  type OtherValue,
  otherValues,
  type SettingId,
  SettingReads,
  type SettingValues,
  track,
} from '../settings/setting.ts'
import type { JournalRecord } from '../simulator/journal/journal.ts'
import type { State } from '../simulator/state.ts'
import type { LoadedWorld } from '../world/load/load-world.ts'

type ChangedSettings = { readonly [Id in SettingId]?: string | number }

type PastAnswer = ApiResponse & {
  readonly route: ApiRoute | null
  readonly reads: readonly SettingId[]
}

/** Answers a stored request again, in copies of the rows as they were then. */
export class PastRequest {
  readonly record: JournalRecord
  readonly #state: State
  readonly #loaded: LoadedWorld
  #copy: ApiWorld | null = null

  /**
   * @param at the stored request whose rows are copied. By default the request itself
   * @returns null if the rows of that time are no longer known
   */
  static open(record: JournalRecord, state: State, at: JournalRecord = record): PastRequest | null {
    const loaded = state.changes.worldAt(at.changeIndex, state.loaded)
    return loaded && new PastRequest(record, state, loaded)
  }

  private constructor(record: JournalRecord, state: State, loaded: LoadedWorld) {
    this.record = record
    this.#state = state
    this.#loaded = loaded
  }

  answer(changed: ChangedSettings = {}): PastAnswer {
    this.#copy ??= this.#state.fork(this.#loaded)
    const copy = this.#copy
    const world: ApiWorld = {
      tables: copy.tables,
      clock: copy.clock,
      texts: copy.texts,
      settings: { ...this.record.settings, ...changed } as SettingValues,
      formerKey: (value) => copy.formerKey(value),
      isTakenElsewhere: (value) => copy.isTakenElsewhere(value),
      wasOfSandbox: (value) => copy.wasOfSandbox(value),
      // The count of earlier requests is not stored, so a request over the rate limit stays over it.
      throttle: () => Number(this.record.response.status === 429),
      isFull: this.record.failure?.details.status === 507,
      onError() {},
    }
    const request = toRequest(this.record)
    const match = findPath(apiPath(request.target))
    const call = match && new Call(match.item, match.params, world, answerCall)
    const reads = call ? call.reads : new SettingReads()
    const response = call
      ? (call.handle(request) as ApiResponse)
      : notFoundBy(request, track({ world, reads }))
    // A write that is accepted may have changed the rows.
    if (response.status < 400 && request.method !== 'GET') this.#copy = null
    return { ...response, route: call, reads: reads.ids }
  }
}

/** What a simulator would have answered with another value of a setting. */
export interface OtherAnswer extends OtherValue {
  readonly answer: PastAnswer
}

/**
 * Answers a stored request again with each other value of each setting that it used. None if the rows of that time are no
 * longer known.
 *
 * @param numbers by default, settings of whole numbers are left out
 */
export function* otherAnswers(
  record: JournalRecord,
  state: State,
  numbers?: OtherNumbers,
): Generator<OtherAnswer> {
  const past = PastRequest.open(record, state)
  if (!past) return
  const { ids } = record.settingReads
  for (const { id, value } of otherValues(ids, record.settings, numbers)) {
    yield { id, value, answer: past.answer({ [id]: value }) }
  }
}

function notFoundBy(request: ApiRequest, settings: SettingValues) {
  const path = apiPath(request.target)
  return endpointNotFound(path, [], settings, isApiPath(path) ? request : undefined)
}

function toRequest({ method, target, requestHeaders, requestBody }: JournalRecord): ApiRequest {
  const [url, query] = [`http://localhost${target}`, queryString(target)]
  return { method, url, target, query, headers: requestHeaders, body: requestBody }
}
