import { findPath, findRoute } from '../../api/find-route.ts'
import { tryParseBody } from '../../http/body.ts'
import { findApiKey } from '../../http/check.ts'
import { failureResponse } from '../../http/failure-response.ts'
import { Failure } from '../../http/failures.ts'
import { type ApiRequest, type ApiResponse, bodyText } from '../../http/messages.ts'
import { apiPath, type BaseUrl } from '../../http/url.ts'
import { resolveSettings } from '../../settings/resolve.ts'
import { resetParts } from '../../simulator/reset.ts'
import { openCall, unserved } from '../../simulator/serve.ts'
import type { Simulator } from '../../simulator/simulator.ts'
import { isUsageError, UsageError } from '../../utils/errors.ts'
import { KeyRedactor } from '../../utils/redaction/mask.ts'
import { findKeyIssues, type ParsedScenario, runError } from '../format/check-scenario.ts'
import { isRequestStep, stepTitle } from '../format/scenario.ts'
import type { SavedValues } from '../format/values.ts'
import { applyChange, parseTextBody, saveValues } from '../run/run-steps.ts'
import type { Sender } from '../run/sender.ts'
import { createLocalSender } from '../run/simulator-sender.ts'
import { toComparedRequest, toRecordedRequest } from './compare-requests.ts'
import { completeResponse } from './complete-response.ts'
import { acceptKey, issueHiddenKeys } from './hidden-keys.ts'
import { RecordedRequests, type RecordedStep } from './recorded-requests.ts'
import { formatNearest, type UnexpectedRequest } from './unexpected-request.ts'

interface PlaybackContext {
  /** Whether requests that are not recorded are refused. By default the simulator answers them */
  readonly onlyRecorded: boolean
  /** In the initial state of the recording */
  readonly simulator: Simulator
  readonly base: BaseUrl
  readonly onUnexpected?: ((request: UnexpectedRequest) => void) | undefined
}

/** A request of a recording in the progress of a playback. */
export interface PlayedRequest {
  /** Counted from 1 */
  readonly step: number
  readonly title: string
  readonly method: string
  /** As recorded, with the names of saved values */
  readonly path: string
  /** How often it was answered */
  readonly count: number
}

/**
 * Answers requests with recorded responses, and tracks which were requested. The simulator gets the recorded requests and
 * changes, too: its responses have what the recording lacks, and it answers all other requests.
 */
export class Playback {
  readonly onlyRecorded: boolean
  /** @internal */
  readonly base: BaseUrl
  /** In the initial state of the recording. Answers other requests, unless they are refused. */
  readonly simulator: Simulator
  readonly #onUnexpected: PlaybackContext['onUnexpected']
  readonly #scenario: ParsedScenario
  #recorded: RecordedRequests
  #unexpected: readonly UnexpectedRequest[] = []
  readonly #saved = new Map<string, unknown>()
  /** The labels of keys by their values, also of revoked keys */
  readonly #labels = new Map<string, string>()
  /** The keys that only the recorded service knows: values in their place by labels */
  #hiddenKeys: ReadonlyMap<string, string> = new Map()
  /** The changes of earlier steps were made. */
  #index = 0
  /** Changes are made one after the other. */
  #pending: Promise<void> = Promise.resolve()

  /** @throws UsageError for a key that the world lacks @internal */
  constructor(scenario: ParsedScenario, options: PlaybackContext) {
    const { onlyRecorded, simulator, base, onUnexpected } = options
    this.onlyRecorded = onlyRecorded
    this.base = base
    this.simulator = simulator
    this.#onUnexpected = onUnexpected
    this.#scenario = scenario
    this.#recorded = this.#start()
  }

  get title(): string {
    return this.#scenario.title
  }

  /** All recorded requests, with how often each was answered. */
  get requests(): PlayedRequest[] {
    return this.#recorded.all.map(({ index, step, count }) => {
      const { method, path } = step
      return { step: index + 1, title: stepTitle(step), method, path, count }
    })
  }

  /** The recorded requests that were not answered yet. */
  get unused(): PlayedRequest[] {
    return this.requests.filter(({ count }) => count === 0)
  }

  /** The latest 100 requests that are not recorded, in order. */
  get unexpected(): readonly UnexpectedRequest[] {
    return this.#unexpected
  }

  /** Whether a path is recorded, with or without a slash at its end, and with any saved values. @internal */
  hasPath(path: string): boolean {
    return this.#recorded.hasPath(path)
  }

  /** Starts again: removes the progress, and restores the initial state of the simulator. */
  rewind(): void {
    this.simulator.reset({ only: resetParts })
    this.#recorded = this.#start()
  }

  #start(): RecordedRequests {
    const { simulator, base } = this
    const { steps } = this.#scenario
    const hiddenKeys = issueHiddenKeys(this.#scenario, simulator)
    this.#hiddenKeys = hiddenKeys
    const issues = findKeyIssues(
      steps,
      simulator.keys.list().map(({ label }) => label),
    )
    if (issues.length > 0) throw runError(issues)
    this.#unexpected = []
    for (const map of [this.#saved, this.#labels]) map.clear()
    this.#index = 0
    this.#pending = Promise.resolve()
    return new RecordedRequests(this.#scenario, (step, saved) =>
      toRecordedRequest(step, saved, base.prefix, hiddenKeys),
    )
  }

  /**
   * Makes the changes before the first request that was not answered yet. Otherwise the next request does this.
   *
   * @throws UsageError for an invalid change
   */
  ready(): Promise<void> {
    return this.#changeUntil(this.#recorded.next?.index ?? this.#scenario.steps.length)
  }

  /** Makes the remaining changes before a step. @throws UsageError for an invalid change */
  #changeUntil(index: number): Promise<void> {
    this.#pending = this.#pending
      .catch(() => {})
      .then(async () => {
        let sender: Sender | null = null
        for (; this.#index < index; this.#index += 1) {
          const step = this.#scenario.steps[this.#index]
          if (!step || isRequestStep(step)) continue
          sender ??= await createLocalSender(this.simulator, this.base.prefix)
          const { differences } = await applyChange(step, sender, this.#saved)
          const [refusal] = differences
          if (refusal) throw new UsageError(`steps[${this.#index}]: ${refusal.got}`)
        }
      })
    return this.#pending
  }

  /**
   * Responds to a request. If a change of the recording is refused, every response is an error that says why. Other
   * exceptions are passed to `onError`.
   *
   * @param target its path below the base URL, and its query
   *
   * @internal
   */
  async respond(request: ApiRequest, target: string): Promise<ApiResponse> {
    try {
      await this.ready()
      return await this.#respond(request, target)
    } catch (error) {
      if (isUsageError(error)) {
        return this.#record(request, playbackError(error.message, 'not_playable'))
      }
      this.simulator.state.onError(error)
      return this.#record(request, serverError)
    }
  }

  async #respond(request: ApiRequest, target: string): Promise<ApiResponse> {
    const { simulator } = this
    const { values } = simulator.settings
    for (const { value, label } of simulator.keys.list()) this.#labels.set(value, label)
    const key = findApiKey(request, values, () => tryParseBody(request, values))?.value
    const label = key === undefined ? null : this.#labels.get(key)
    const compared = toComparedRequest(request, target, label)
    const saved = withBaseUrl(this.#saved, clientBaseUrl(request, target))
    const match = this.#recorded.find(compared, saved)
    if (label === undefined && key !== undefined) this.#acceptKey(key, match)
    if (!match) {
      const { redact } = simulator.state.journal.limits
      const keys = simulator.keys.list().map(({ value }) => value)
      const redactor = new KeyRedactor(keys, redact)
      const nearest = this.#recorded.nearest(compared, saved, redactor)
      return this.#respondToUnexpected(request, target, {
        method: request.method,
        path: redactor.url(target),
        nearest,
      })
    }
    this.#recorded.answer(match)
    await this.#changeUntil(match.index)
    const complete = (simulated: ApiResponse): ApiResponse => {
      const { expect, save = {} } = match.step
      const now = simulator.clock.iso()
      const response = completeResponse(expect, simulated, { saved, now })
      saveValues(save, parseTextBody(bodyText(response.body)), this.#saved)
      return response
    }
    const { state, sendsWhy } = simulator
    const path = findPath(apiPath(request.target))
    if (!path) return this.#record(request, complete(notFound))
    return openCall(state, path, { sendsWhy, replace: complete }, request.began).handle(request)
  }

  /** Lets the simulator accept the key of the client in place of the one that the recording hides. */
  #acceptKey(key: string, match: RecordedStep | undefined): void {
    const [only, ...others] = this.#hiddenKeys.keys()
    const label = match ? match.step.as : others.length === 0 ? only : undefined
    const hidden = label === undefined ? undefined : this.#hiddenKeys.get(label)
    if (hidden !== undefined) acceptKey(this.simulator, hidden, key)
  }

  async #respondToUnexpected(
    request: ApiRequest,
    target: string,
    unexpected: UnexpectedRequest,
  ): Promise<ApiResponse> {
    this.#unexpected = [...this.#unexpected, unexpected].slice(-maxUnexpected)
    this.#onUnexpected?.(unexpected)
    if (this.onlyRecorded) return this.#record(request, notRecorded(unexpected))
    const match = this.simulator.match(this.base.prefix + target, request)
    return match ? match.handle(request) : this.simulator.notFound(request.method, request)
  }

  /** Records a response that the simulator has no part in. */
  #record(request: ApiRequest, response: ApiResponse): ApiResponse {
    const { state } = this.simulator
    if (state.journal.isOff) return response
    const route = findRoute(request, state.settings)
    const operation = route?.endpoint.operation ?? null
    state.addRecord({ ...unserved(request, response, state), operation, requestBody: request.body })
    return response
  }
}

const maxUnexpected = 100

const notFound = failureResponse(new Failure('not_found'), resolveSettings())
const serverError = failureResponse(new Failure('server_error'), resolveSettings())

/** Saved values, and the base URL of a client. */
function withBaseUrl(saved: SavedValues, baseUrl: string): SavedValues {
  return {
    get: (name) => (name === 'base_url' ? baseUrl : saved.get(name)),
    has: (name) => name === 'base_url' || saved.has(name),
  }
}

/** The base URL with which a client addresses the API. */
function clientBaseUrl({ url }: ApiRequest, target: string): string {
  const whole = url.replace(/#.*$/s, '')
  return whole.endsWith(target) ? whole.slice(0, whole.length - target.length) : new URL(url).origin
}

function notRecorded({ method, path, nearest }: UnexpectedRequest): ApiResponse {
  const hint = nearest ? `Nearest: ${formatNearest(nearest)}.` : 'The recording has no requests.'
  const detail =
    `${method} ${path} is not recorded. ${hint} ` +
    'Record it, or leave out --only-recorded (or the option onlyRecorded) to simulate the response.'
  return playbackError(detail, 'not_recorded')
}

/** Uses the default error format with any settings, as the message is for developers. */
function playbackError(detail: string, code: string): ApiResponse {
  return failureResponse(new Failure('server_error', detail, { code }), resolveSettings())
}
