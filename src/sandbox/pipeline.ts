import type { World } from '../api/endpoints.ts'
import type { OperationId } from '../api/operation-id.ts'
import { answer } from '../http/answer.ts'
import type { Authorize } from '../http/authorize.ts'
import type { EndpointContext } from '../http/endpoint.ts'
import { describeIgnoredInput, ReadInput } from '../http/ignored-input.ts'
import type { ApiRequest, ApiResponse } from '../http/messages.ts'
import { type ResolvedRoute, resolveRoute } from '../http/route.ts'
import type { TrackedValues } from '../settings/by-setting.ts'
import type { SettingValues } from '../settings/setting.ts'
import type { Clock } from '../world/clock/clock.ts'
import type { ChangeLog } from './journal/changes.ts'
import { type Journal, JournalRecord } from './journal/journal.ts'

/** The parts of a sandbox that its pipeline uses. */
interface PipelineSandbox extends EndpointContext<World> {
  readonly clock: Clock
  readonly journal: Journal
  readonly changes: ChangeLog
  readonly settingTracker: TrackedValues
  readonly restoreCount: number
  record(record: JournalRecord): void
}

/** A request on its way through the stages of a sandbox. */
export class RequestEvent {
  route: ResolvedRoute<World>
  request: ApiRequest
  readonly record: JournalRecord
  /** Replaces the check of the key, if a fault refuses the request. */
  authorize: Authorize<World> | undefined = undefined

  constructor(route: ResolvedRoute<World>, request: ApiRequest, record: JournalRecord) {
    this.route = route
    this.request = request
    this.record = record
  }
}

/** Responds to a request. It never throws: errors become responses. */
export type Respond = (event: RequestEvent) => ApiResponse

/** A stage of a pipeline. It can change the event before `next`, and the response after it. */
export type Stage = (event: RequestEvent, next: Respond) => ApiResponse | Promise<ApiResponse>

/** The stages before the endpoint, in the order in which a request passes them. */
const stageNames = ['recording', 'faults'] as const

/** Adds a header that explains a response of a sandbox. */
export type Explain<S> = (response: ApiResponse, record: JournalRecord, sandbox: S) => ApiResponse

/**
 * The way of a request through a sandbox. A recording replaces the response; faults run the endpoint, or respond in
 * place of it; the endpoint answers. The journal records the response of the first stage.
 */
export class Pipeline<S extends PipelineSandbox> {
  readonly #sandbox: S
  /** In the order of their names */
  readonly #stages: (Stage | null)[] = [null, null]

  constructor(sandbox: S) {
    this.#sandbox = sandbox
  }

  /** Replaces a stage. Null if it has nothing to do. */
  use(name: (typeof stageNames)[number], stage: Stage | null): void {
    this.#stages[stageNames.indexOf(name)] = stage
  }

  /** Responds to a request and records it. It never throws: errors become responses. */
  handle(
    route: ResolvedRoute<World>,
    request: ApiRequest,
    explain: Explain<S> | null,
  ): ApiResponse | Promise<ApiResponse> {
    const sandbox = this.#sandbox
    const { endpoint, pathItem } = route
    const operation = pathItem.endpoints.includes(endpoint) ? (endpoint.id as OperationId) : null
    const record = new JournalRecord(sandbox.journal.nextId(), operation, request, sandbox)
    const start = performance.now()
    const event = new RequestEvent(route, request, record)
    const response: ApiResponse | Promise<ApiResponse> = this.#respond(event)
    if (response instanceof Promise) {
      sandbox.journal.waiting.add(record)
      return response.then((completed) => {
        sandbox.journal.waiting.delete(record)
        return this.#complete(event, completed, start, explain)
      })
    }
    return this.#complete(event, response, start, explain)
  }

  #complete(
    { request, record }: RequestEvent,
    response: ApiResponse,
    start: number,
    explain: Explain<S> | null,
  ): ApiResponse {
    if (!record.isAnswered) record.place = this.#sandbox.changes.place
    this.#sandbox.record(record.complete(request, response, performance.now() - start))
    return explain ? explain(response, record, this.#sandbox) : response
  }

  /** Runs the checks and the endpoint. Attributes setting reads and writes to the request. */
  #answer({ route, request, record, authorize }: RequestEvent): ApiResponse {
    const sandbox = this.#sandbox
    const { settings, settingTracker, changes } = sandbox
    // While the body arrived, or a fault delayed this request, others were answered.
    settingTracker.takeReads()
    readRouteSettings(route, request, settings)
    record.place = changes.place
    const read = new ReadInput()
    const response = answer(route, request, sandbox, authorize, read)
    const writes = changes.writesOfRequest(record.place)
    const ignored = () => describeIgnoredInput({ route, request, settings, read })
    record.attach(response, settingTracker, writes, ignored)
    return response
  }

  /** Looks up each stage when the request gets there: one can be added while a fault holds the request. */
  #respond(event: RequestEvent, from = 0): ApiResponse {
    const stages = this.#stages
    let at = from
    while (at < stages.length && stages[at] === null) at += 1
    return at < stages.length ? this.#enter(event, at) : this.#answer(event)
  }

  /** A method of its own: a function that contains another one allocates memory even if it does not create it. */
  #enter(event: RequestEvent, at: number): ApiResponse {
    const stage = this.#stages[at] as Stage
    return stage(event, (passed) => this.#respond(passed, at + 1)) as ApiResponse
  }
}

/** Reads the settings again that were read to find the route: reading is what tracks them. */
function readRouteSettings(
  { pathItem, params }: ResolvedRoute<World>,
  { method, body }: ApiRequest,
  settings: SettingValues,
): void {
  resolveRoute(pathItem, method, { params, suffix: params.format }, settings)
  if (body !== null) void settings['limits.body']
}
