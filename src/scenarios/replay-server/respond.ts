import { resolvePath } from '../../api/find-route.ts'
import { decodeBase64 } from '../../http/exchange.ts'
import { failureResponse } from '../../http/failure-response.ts'
import { Failure } from '../../http/failures.ts'
import {
  type ApiRequest,
  type ApiResponse,
  bodyText,
  networkErrorResponse,
  sentHeaders,
} from '../../http/messages.ts'
import { resolveSettings } from '../../settings/resolve.ts'
import { respond } from '../../simulator/respond.ts'
import type { Service } from '../../simulator/service.ts'
import { UsageError } from '../../utils/errors.ts'
import { fillAliases } from '../../utils/redaction/aliases.ts'
import type { Scope } from '../../world/keys.ts'
import { isRequestStep, type Scenario } from '../format/scenario.ts'
import { isReplacedKey } from '../recording/key-names.ts'
import { applyChange, parseTextBody, saveValues } from '../run/run-steps.ts'
import { createLocalTarget } from '../run/simulator-target.ts'
import type { ReceivedResponse } from '../run/target.ts'
import {
  type CompletedRecording,
  completeResponse,
  hasExpectedStatus,
  matchesRecording,
  placeholderOrigin,
} from './complete-recording.ts'
import type { TrackedStep } from './match-request.ts'
import { formatNearest, type UnexpectedRequest } from './replay-options.ts'

interface RecordingSource {
  readonly request: ApiRequest
  readonly target: string
  readonly recording: CompletedRecording
  /** Also simulates the request. Null if only recorded requests are answered */
  readonly simulation: Simulation | null
  readonly saved: Map<string, unknown>
  /** What the client sent where the recording has aliases */
  readonly hidden: ReadonlyMap<string, string>
}

/** A response, and whether the journal of the simulation has it. */
export interface Played {
  readonly response: ApiResponse
  readonly isInJournal: boolean
}

/** Creates the response to a recorded request. With a simulation, rows have the ids of the simulation. */
export async function respondFromRecording(
  { index, step }: TrackedStep,
  { request, target, recording, simulation, saved, hidden }: RecordingSource,
): Promise<Played> {
  const recorded = recording.responses.get(index) as ReceivedResponse
  const baseUrl = clientBaseUrl(request, target)
  await simulation?.applyChangesUntil(index, saved)
  const response = await simulation?.replace(request, target, (simulated) =>
    complete(simulated, step, recorded, { baseUrl, saved, hidden }),
  )
  if (response) return { response, isInJournal: true }
  return { response: toApiResponse(recorded, baseUrl, hidden), isInJournal: false }
}

/** Completes a recorded response with values of the simulated one. */
function complete(
  simulated: ApiResponse,
  { expect, save = {} }: TrackedStep['step'],
  recorded: ReceivedResponse,
  {
    baseUrl,
    saved,
    hidden,
  }: Pick<RecordingSource, 'saved' | 'hidden'> & { readonly baseUrl: string },
): ApiResponse {
  const { status, body } = simulated
  const headers = new Headers(sentHeaders(simulated))
  const live = { status, headers, text: bodyText(body), broken: status === 0 }
  // A body that a fault cuts is passed on.
  if (simulated.cutAfter !== undefined && (!expect || expect.broken)) return simulated
  const base = !expect || hasExpectedStatus(expect, live) ? live : recorded
  const completed = completeResponse(expect, base, saved, () => undefined)
  const response = matchesRecording(expect, completed, saved) ? completed : recorded
  saveValues(save, parseTextBody(response.text), saved)
  return toApiResponse(response, baseUrl, hidden)
}

/** @param baseUrl the base URL for the client, used in links */
function toApiResponse(
  { status, headers, text, base64, broken }: ReceivedResponse,
  baseUrl: string,
  hidden: RecordingSource['hidden'],
): ApiResponse {
  if (broken) return networkErrorResponse
  const isJson = /json/.test(headers.get('content-type') ?? '')
  const forClient = (part: string, isJsonText = false): string =>
    fillAliases(part.replaceAll(placeholderOrigin, baseUrl), hidden, isJsonText)
  const sent: Record<string, string> = {}
  for (const [name, value] of headers) sent[name] = forClient(value)
  delete sent['content-length']
  const body = base64 === undefined ? forClient(text, isJson) : decodeBase64(base64)
  return { status, headers: sent, body }
}

function clientBaseUrl({ url }: ApiRequest, target: string): string {
  const whole = url.replace(/#.*$/s, '')
  return whole.endsWith(target) ? whole.slice(0, whole.length - target.length) : new URL(url).origin
}

export function createNotRecordedResponse(unexpected: UnexpectedRequest): ApiResponse {
  const { method, path, nearest } = unexpected
  const hint = nearest ? `Nearest: ${formatNearest(nearest)}.` : 'The recording has no requests.'
  const detail =
    `${method} ${path} is not recorded. ${hint} ` +
    'Record it, or leave out --only-recorded (or the option onlyRecorded) to simulate the response.'
  const response = createErrorResponse(detail, 'not_recorded')
  if (!nearest) return response
  const header = `step ${nearest.step}`
  return { ...response, headers: { ...response.headers, 'understudy-nearest': header } }
}

/** Uses the default error format with any settings, as the message is for developers. */
export function createErrorResponse(detail: string, code: string): ApiResponse {
  return failureResponse(new Failure('server_error', detail, { code }), resolveSettings())
}

/** The live simulation. Recorded requests and changes also run in it, so that it can answer others. */
export class Simulation {
  readonly #simulator: Service
  readonly #scenario: Scenario
  readonly #prefix: string
  readonly #restoreState: () => void
  /** The changes of earlier steps were made. */
  #index: number
  /** Changes are made one after the other. */
  #pending: Promise<void> = Promise.resolve()

  /** @param former the simulation of the former version of the recording, in the same simulator */
  constructor(simulator: Service, scenario: Scenario, prefix: string, former: Simulation | null) {
    this.#simulator = simulator
    this.#scenario = scenario
    this.#prefix = prefix
    this.#restoreState = former ? former.#restoreState : captureState(simulator)
    this.#index = former ? former.#index : 0
  }

  start(saved: Map<string, unknown>): Promise<void> {
    return this.applyChangesUntil(this.#scenario.steps.findIndex(isRequestStep), saved)
  }

  /** Makes the remaining changes before a step. @throws UsageError for an invalid change */
  applyChangesUntil(index: number, saved: Map<string, unknown>): Promise<void> {
    this.#pending = this.#pending
      .catch(() => {})
      .then(async () => {
        const target = await createLocalTarget(this.#simulator, placeholderOrigin)
        for (; this.#index < index; this.#index += 1) {
          const step = this.#scenario.steps[this.#index]
          if (!step || isRequestStep(step)) continue
          const { differences } = await applyChange(step, target, saved)
          const [refusal] = differences
          if (refusal) throw new UsageError(`steps[${this.#index}]: ${refusal.got}`)
        }
      })
    return this.#pending
  }

  respond(request: ApiRequest, target: string): ApiResponse | Promise<ApiResponse> {
    for (const handler of this.#simulator.endpointHandlers) {
      const match = handler.match(request.method, this.#prefix + target, request)
      if (match) return match.handle(request)
    }
    return this.#simulator.notFound(request.method, request)
  }

  /**
   * Simulates a request, and replaces its response, also in the journal.
   *
   * @returns null if no operation has the path
   */
  async replace(
    request: ApiRequest,
    target: string,
    complete: (simulated: ApiResponse) => ApiResponse,
  ): Promise<ApiResponse | null> {
    const { state, explains } = this.#simulator
    const route = resolvePath(request.method, target, state.settings)
    return route && respond(state, route, request, { explains, replace: complete })
  }

  /** Gives a key the value that the client knows, unless it has one. @param label that of a key which a recording hides */
  acceptKey(label: string, value: string): void {
    const { keys, world } = this.#simulator
    const hidden = keys.list().find((key) => key.label === label)
    if (hidden ? !isReplacedKey(hidden.value) : world.users.count === 0) return
    if (hidden) keys.revoke(hidden.value)
    // A recording may have scopes of other operations.
    const { scopes, ...rest } = hidden ?? {}
    keys.issue({
      ...rest,
      ...(scopes !== undefined && { scopes: scopes as Scope[] | null }),
      label,
      value,
    })
  }

  /** Restores the initial state of the simulator, and starts again from the first step. */
  rewind(): void {
    this.#restoreState()
    this.#index = 0
  }
}

function captureState(simulator: Service): () => void {
  const { clock, settings, faults } = simulator
  const { mode, now } = clock.read()
  const rows = simulator.snapshot()
  const { values } = settings
  const initialIds = new Set(faults.list().map(({ id }) => id))
  return () => {
    simulator.restore(rows)
    if (mode === 'real') clock.release()
    else clock.set({ mode, time: now })
    settings.set(values)
    for (const { id } of faults.list()) if (!initialIds.has(id)) faults.remove(id)
  }
}
