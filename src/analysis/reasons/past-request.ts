import { findRoute } from '../../api/find-route.ts'
import { answer } from '../../http/answer.ts'
import type { ProjectContext } from '../../http/authorize.ts'
import type { ApiCaller, Endpoint, EndpointContext } from '../../http/endpoint.ts'
import type { BodySchema } from '../../http/fields/body-fields.ts'
import type { ApiRequest, ApiResponse } from '../../http/messages.ts'
import type { ResolvedRoute } from '../../http/route.ts'
import { endpointNotFound } from '../../http/unknown-path.ts'
import { apiPath, isApiPath, queryString } from '../../http/url.ts'
import { resolveBySetting, type TrackedValues } from '../../settings/by-setting.ts'
import type { SettingId, SettingValues } from '../../settings/setting.ts'
import type { ChangeLog } from '../../simulator/journal/changes.ts'
import type { JournalRecord } from '../../simulator/journal/journal.ts'
import type { LoadedWorld } from '../../world/load/build-world.ts'
import type { Tables } from '../../world/tables.ts'

/** The parts of a sandbox from which a stored request is answered again. */
export interface DecisionSource {
  readonly changes: ChangeLog
  readonly loaded: LoadedWorld
  isTakenElsewhere(key: string): boolean
  fork(
    loaded: LoadedWorld,
  ): EndpointContext & { settings: SettingValues; settingTracker: TrackedValues }
}

/** The input of an operation, as the checks before it read it from a request. */
interface ReceivedInput extends ProjectContext {
  readonly caller: ApiCaller
  readonly query: Readonly<Record<string, unknown>>
  /** The row of the path, if the operation has one */
  readonly subject?: object
  /** The values of the fields */
  readonly body?: Readonly<Record<string, unknown>>
}

/** The input of an operation, and the parts of the request that it was read from. */
interface ReceivedRequest {
  readonly endpoint: Endpoint
  readonly input: ReceivedInput
  /** Null if the operation reads no body */
  readonly schema: BodySchema<unknown> | null
  /** The body before its fields were read */
  readonly sent: unknown
  /** The rows before the request */
  readonly tables: Tables
}

/** Answers a stored request again, in copies of the rows as they were then. */
export class PastRequest {
  readonly record: JournalRecord
  readonly #source: DecisionSource
  readonly #loaded: LoadedWorld
  #copy: ReturnType<DecisionSource['fork']> | null = null

  /**
   * @param at the stored request whose rows are copied. By default the request itself
   * @returns null if the rows of that time are no longer known
   */
  static open(
    record: JournalRecord,
    source: DecisionSource,
    at: JournalRecord = record,
  ): PastRequest | null {
    const loaded = source.changes.worldAt(at.place, source.loaded)
    return loaded && new PastRequest(record, source, loaded)
  }

  private constructor(record: JournalRecord, source: DecisionSource, loaded: LoadedWorld) {
    this.record = record
    this.#source = source
    this.#loaded = loaded
  }

  /** Returns what the operation receives, without running it. Null if a check refuses the request. */
  receive(): ReceivedRequest | null {
    const { settings } = this.record
    let received: ReceivedRequest | null = null
    this.answer({}, (endpoint) => {
      const schema = resolveBySetting(endpoint.body ?? null, settings)
      let sent: unknown
      const read: BodySchema<unknown>['read'] = (value, context) => {
        sent = value
        return schema?.read(value, context)
      }
      const handle = (given: unknown): void => {
        const input = given as ReceivedInput
        received = { endpoint, input, schema, sent, tables: this.#loaded.tables }
      }
      return { ...endpoint, body: schema && { ...schema, read }, handle }
    })
    return received
  }

  /** Answers under other settings. @param replace returns another endpoint in place of that of the route */
  answer(
    changed: object = {},
    replace: (endpoint: Endpoint) => Endpoint = (endpoint) => endpoint,
  ): ApiResponse & {
    readonly route: ResolvedRoute | null
    /** The settings that were read */
    readonly reads: readonly SettingId[]
  } {
    this.#copy ??= this.#source.fork(this.#loaded)
    const copy = this.#copy
    copy.settings = { ...this.record.settings, ...changed }
    const { settings, tables, clock, settingTracker } = copy
    const route = findRoute(this.record, settings)
    // The count of earlier requests is not stored, so a request over the rate limit stays over it.
    const throttle = () =>
      Number(settings['limits.rate'] !== 'off' && this.record.response.status === 429)
    const context = {
      settings,
      tables,
      clock,
      throttle,
      formerKey: (value: string) => copy.formerKey(value),
      isTakenElsewhere: (value: string) => copy.isTakenElsewhere(value),
      wasOfSandbox: (value: string) => copy.wasOfSandbox(value),
      report() {},
    }
    const request = toRequest(this.record)
    const path = apiPath(request.target)
    const response = route
      ? answer({ ...route, endpoint: replace(route.endpoint) }, request, context)
      : endpointNotFound(path, [], settings, isApiPath(path) ? request : undefined)
    // A request that is accepted may have changed the rows.
    if (response.status < 400) this.#copy = null
    return { ...response, route, reads: settingTracker.takeReads() }
  }
}

function toRequest({ method, target, requestHeaders, requestBody }: JournalRecord): ApiRequest {
  const [url, query] = [`http://localhost${target}`, queryString(target)]
  return { method, url, target, query, headers: requestHeaders, body: requestBody }
}
