import type { ApiRequest } from '../../http/messages.ts'
import type { BaseUrl } from '../../http/url.ts'
import type { Service } from '../../simulator/service.ts'
import { formatIssue } from '../../utils/errors.ts'
import { KeyRedactor } from '../../utils/redaction/mask.ts'
import type { ParsedScenario } from '../format/check-scenario.ts'
import { stepTitle } from '../format/scenario.ts'
import { type CompletedRecording, completeRecording } from './complete-recording.ts'
import {
  carryProgressOver,
  hasPathOfStep,
  type RecordedRequest,
  RequestMatcher,
  retainSaved,
  type TrackedStep,
  toTrackedSteps,
} from './match-request.ts'
import type { UnexpectedRequest } from './replay-options.ts'
import { type IncomingRequest, normalizeRequest } from './request.ts'
import {
  createErrorResponse,
  createNotRecordedResponse,
  type Played,
  respondFromRecording,
  Simulation,
} from './respond.ts'

interface ReplayContext<S extends Service> {
  /** Whether requests that are not recorded are refused. By default the simulator answers them */
  readonly onlyRecorded: boolean
  /** In the initial state of the recording. Answers requests that are not recorded */
  readonly simulator: S
  /** Creates another simulator in that state, to complete the recording */
  readonly createFresh: () => Service
  readonly base: BaseUrl
  readonly onUnexpected?: ((request: UnexpectedRequest) => void) | undefined
}

/** Answers requests with recorded responses, and tracks which were requested. */
export class Replay<S extends Service = Service> {
  readonly title: string
  readonly onlyRecorded: boolean
  readonly base: BaseUrl
  /** In the initial state of the recording. Answers other requests, unless they are refused. */
  readonly simulator: S
  readonly #scenario: ParsedScenario
  readonly #options: ReplayContext<S>
  readonly #simulation: Simulation
  readonly #matcher: RequestMatcher
  readonly #recorded: readonly TrackedStep[]
  #leftOut: CompletedRecording['leftOut'] = new Map()
  #unexpected: readonly UnexpectedRequest[] = []
  #formerSaved: ReadonlyMap<string, unknown> = new Map()
  #loading: Promise<CompletedRecording> | null = null
  #saved = new Map<string, unknown>()
  /** What the aliases of the recording stand for, as far as requests have shown it. */
  readonly #hidden = new Map<string, string>()

  /** @param former the replay of the former version of the recording */
  constructor(
    scenario: ParsedScenario,
    options: ReplayContext<S>,
    former: Replay<S> | null = null,
  ) {
    const { onlyRecorded, simulator, base } = options
    this.title = scenario.title
    this.onlyRecorded = onlyRecorded
    this.base = base
    this.simulator = simulator
    this.#scenario = scenario
    this.#options = options
    this.#recorded = toTrackedSteps(scenario)
    this.#simulation = new Simulation(
      simulator,
      scenario,
      base.prefix,
      former ? former.#simulation : null,
    )
    this.#matcher = new RequestMatcher(this.#recorded, base.prefix)
    carryProgressOver(former ? former.#recorded : [], this.#recorded)
    if (former && !onlyRecorded) {
      this.#formerSaved = retainSaved(this.#recorded, former.#saved)
    }
  }

  /** All recorded requests that can be answered, with how often each was. */
  get requests(): RecordedRequest[] {
    const answerable = this.#recorded.filter(({ index }) => !this.#leftOut.has(index))
    return answerable.map(({ index, step, count }) => {
      const { method, path } = step
      return { step: index + 1, title: stepTitle(step), method, path, count }
    })
  }

  /** Why requests cannot be answered, one issue for each, such as `steps[2].path: …`. Empty before the recording is complete. */
  get leftOut(): readonly string[] {
    return [...this.#leftOut.values()].flatMap(([first]) => (first ? formatIssue(first) : []))
  }

  /** The recorded requests that were not answered yet. */
  get unused(): RecordedRequest[] {
    return this.requests.filter(({ count }) => count === 0)
  }

  /** The latest 100 requests that are not recorded, in order. */
  get unexpected(): readonly UnexpectedRequest[] {
    return this.#unexpected
  }

  /** Whether a path is recorded, with any saved values. */
  hasPath(path: string): boolean {
    return this.#recorded.some(({ step }) => hasPathOfStep(step, path))
  }

  /**
   * Continues with another version of the recording, in the same world. The progress stays, except for reads with a
   * changed response.
   *
   * @param other a replay of that version
   */
  continueWith(other: Replay<S>): Replay<S> {
    const { createFresh } = other.#options
    return new Replay(other.#scenario, { ...this.#options, createFresh }, this)
  }

  /** Completes the recorded responses. Otherwise the first request does this. @throws UsageError if that is impossible */
  async ready(): Promise<void> {
    await this.#load()
  }

  /** Starts again: removes the progress, and restores the initial state of the simulation. */
  rewind(): void {
    for (const recorded of this.#recorded) recorded.count = 0
    this.#unexpected = []
    this.#formerSaved = new Map()
    this.#loading = null
    this.#hidden.clear()
    this.#simulation.rewind()
  }

  /**
   * Responds to a request. If the recording cannot be replayed, every response is an error that says why.
   *
   * @param target its path below the base URL, and its query
   */
  async respond(request: ApiRequest, target: string): Promise<Played> {
    try {
      const recording = await this.#load()
      const normalized = normalizeRequest(request, target, this.simulator, recording.labels)
      const match = this.#matcher.match(normalized)
      if (!this.onlyRecorded) this.#acceptKey(normalized, match, recording)
      if (!match) return await this.#respondToUnexpected(normalized, request, target)
      match.count += 1
      this.#matcher.collectValues(match, normalized, this.#hidden)
      const simulation = this.onlyRecorded ? null : this.#simulation
      const [saved, hidden] = [this.#saved, this.#hidden]
      const source = { request, target, recording, simulation, saved, hidden }
      const played = await respondFromRecording(match, source)
      if (simulation && match.step.save) this.#matcher.fill(this.#saved)
      return played
    } catch (error) {
      const response = createErrorResponse((error as Error).message, 'not_replayable')
      return { response, isInJournal: false }
    }
  }

  /** Lets the simulation accept the key of the client in place of the one that the recording hides. */
  #acceptKey(
    { key, keyValue }: IncomingRequest,
    match: TrackedStep | undefined,
    { hiddenKeys }: CompletedRecording,
  ): void {
    if (key !== undefined || keyValue === undefined) return
    const [only, ...others] = hiddenKeys
    const label = match ? match.step.as : others.length === 0 ? only : undefined
    if (label !== undefined && hiddenKeys.has(label)) this.#simulation.acceptKey(label, keyValue)
  }

  #load(): Promise<CompletedRecording> {
    this.#loading ??= this.#complete()
    return this.#loading
  }

  async #complete(): Promise<CompletedRecording> {
    const recording = await completeRecording(this.#scenario, this.#options.createFresh())
    this.#saved = new Map([...recording.saved, ...this.#formerSaved])
    this.#leftOut = recording.leftOut
    this.#matcher.fill(this.#saved, recording)
    if (!this.onlyRecorded) await this.#simulation.start(this.#saved)
    return recording
  }

  async #respondToUnexpected(
    normalized: IncomingRequest,
    request: ApiRequest,
    target: string,
  ): Promise<Played> {
    const { redact } = this.simulator.state.journal.limits
    const redactor = new KeyRedactor(
      this.simulator.keys.list().map(({ value }) => value),
      redact,
    )
    const nearest = this.#matcher.nearest(normalized, redactor)
    const unexpected = { method: request.method, path: redactor.url(target), nearest }
    this.#unexpected = [...this.#unexpected, unexpected].slice(-maxUnexpected)
    this.#options.onUnexpected?.(unexpected)
    return this.onlyRecorded
      ? { response: createNotRecordedResponse(unexpected), isInJournal: false }
      : { response: await this.#simulation.respond(request, target), isInJournal: true }
  }
}

const maxUnexpected = 100
