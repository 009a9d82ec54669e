import type { ApiRequest, ApiResponse } from '../../http/messages.ts'
import type { BaseUrl } from '../../http/url.ts'
import { KeyRedactor } from '../../sandbox/journal/key-redactor.ts'
import type { SimulatorBase } from '../../sandbox/simulator-base.ts'
import type { Scenario } from '../format/scenario.ts'
import { type CompletedRecording, completeRecording } from './complete-recording.ts'
import { type ReplayMode, RequestMatcher, type UnexpectedRequest } from './match-request.ts'
import {
  carryProgressOver,
  hasPathOfStep,
  type RecordedRequest,
  type RecordingChanges,
  retainSaved,
  type TrackedRequest,
  toRecordedRequest,
  toTrackedRequests,
} from './recorded-requests.ts'
import { type IncomingRequest, normalizeRequest } from './request.ts'
import {
  createNotRecordedResponse,
  createNotReplayableResponse,
  respondFromRecording,
} from './respond.ts'
import { Simulation } from './simulation.ts'

/** What of a recording was asked, and what was asked besides. */
class RecordingProgress {
  readonly recorded: readonly TrackedRequest[]
  #unexpected: readonly UnexpectedRequest[] = []

  constructor(scenario: Scenario) {
    this.recorded = toTrackedRequests(scenario)
  }

  /** Every recorded request, with how often it was asked. */
  get requests(): RecordedRequest[] {
    return this.recorded.map(toRecordedRequest)
  }

  /** The recorded requests that nobody has asked. */
  get unused(): RecordedRequest[] {
    return this.requests.filter(({ asked }) => asked === 0)
  }

  /** The latest 100 requests that were not recorded, the oldest first. */
  get unexpected(): readonly UnexpectedRequest[] {
    return this.#unexpected
  }

  /** Whether a path is recorded, whatever the values of the names in it. */
  hasPath(path: string): boolean {
    return this.recorded.some(({ step }) => hasPathOfStep(step, path))
  }

  /** Remembers a request that is not recorded. */
  addUnexpected(unexpected: UnexpectedRequest): void {
    this.#unexpected = [...this.#unexpected, unexpected].slice(-maxUnexpected)
  }

  /** Forgets what was asked. */
  clear(): void {
    for (const recorded of this.recorded) recorded.asked = 0
    this.#unexpected = []
  }
}

/** What a recording is replayed with. */
interface ReplayContext<S extends SimulatorBase> {
  readonly mode: ReplayMode
  /** In the world of the recording: answers what is not recorded, where the mode is fallback */
  readonly simulator: S
  /** Makes another one like it, in which the recording is completed */
  readonly createFresh: () => SimulatorBase
  /** Where the API begins */
  readonly base: BaseUrl
  /** Told of each request that is not recorded */
  readonly onUnexpected?: ((request: UnexpectedRequest) => void) | undefined
}

/** Remembers how a simulator is, to bring all of it back. @returns what does that */
function captureState(simulator: SimulatorBase): () => void {
  const { clock, policies, faults, actors } = simulator
  const { mode, now } = clock.read()
  const rows = simulator.snapshot()
  const settings = { ...policies.settings }
  const [keptFaults, keptActors] = [idsOf(faults.list()), idsOf(actors.list())]
  return () => {
    simulator.restore(rows)
    if (mode === 'real') clock.release()
    else clock.set({ mode, time: now })
    policies.set(settings)
    for (const { id } of faults.list()) if (!keptFaults.has(id)) faults.remove(id)
    for (const { id } of actors.list()) if (!keptActors.has(id)) actors.remove(id)
  }
}

function idsOf(list: readonly { readonly id: string }[]): ReadonlySet<string> {
  return new Set(list.map(({ id }) => id))
}

/** A recording that answers requests, and what of it was asked. */
export class Replay<S extends SimulatorBase = SimulatorBase> extends RecordingProgress {
  readonly title: string
  readonly mode: ReplayMode
  /** Where the API begins. */
  readonly base: BaseUrl
  /** What is below it: the world of the recording, which answers the rest in the mode fallback. */
  readonly simulator: S
  /** How its requests differ from those of the version before. */
  readonly changes: RecordingChanges
  readonly #scenario: Scenario
  readonly #options: ReplayContext<S>
  readonly #simulation: Simulation
  readonly #matching: RequestMatcher
  readonly #toBeginning: () => void
  /** What requests that were asked before this version of the recording have saved. */
  #kept: ReadonlyMap<string, unknown> = new Map()
  #loading: Promise<CompletedRecording> | null = null
  #saved = new Map<string, unknown>()

  /** @param former the version of the recording that this one goes on from */
  constructor(scenario: Scenario, options: ReplayContext<S>, former: Replay<S> | null = null) {
    super(scenario)
    const { mode, simulator, base } = options
    this.title = scenario.title
    this.mode = mode
    this.base = base
    this.simulator = simulator
    this.#scenario = scenario
    this.#options = options
    const at = former ? former.#simulation.at : 0
    this.#simulation = new Simulation(simulator, scenario, base.prefix, at)
    this.#matching = new RequestMatcher(this.recorded, base.prefix)
    this.#toBeginning = former ? former.#toBeginning : captureState(simulator)
    this.changes = carryProgressOver(former?.recorded ?? [], this.recorded)
    if (former && mode === 'fallback') this.#kept = retainSaved(this.recorded, former.#saved)
  }

  /**
   * Goes on with another version of its recording, in the same world: what was asked stays asked, but for reads that
   * are answered otherwise.
   *
   * @param other a replay of that version
   */
  continueWith(other: Replay<S>): Replay<S> {
    const { createFresh } = other.#options
    return new Replay(other.#scenario, { ...this.#options, createFresh }, this)
  }

  /**
   * Completes what the answers leave open, which the first request does otherwise.
   *
   * @throws UsageError for an answer that cannot be sent, or a change that cannot be made
   */
  async ready(): Promise<void> {
    await this.#load()
  }

  /** Begins anew: no request was asked, and the simulation is in the world in which the recording begins. */
  rewind(): void {
    this.clear()
    this.#kept = new Map()
    this.#loading = null
    this.#toBeginning()
    this.#simulation.rewind()
  }

  /**
   * Answers a request.
   *
   * @param target its path from where the API begins, and its query
   */
  async answer(call: ApiRequest, target: string): Promise<ApiResponse> {
    try {
      return await this.#answer(call, target, await this.#load())
    } catch (error) {
      // The recording, or a change of it, cannot be carried out: each request is told so.
      return createNotReplayableResponse((error as Error).message)
    }
  }

  async #answer(call: ApiRequest, target: string, tape: CompletedRecording): Promise<ApiResponse> {
    const asked = normalizeRequest(call, target, this.simulator, tape.labels)
    const found = this.#matching.match(asked, this.mode, () => this.#redactor())
    if (!found) return this.#meetUnexpected(asked, call, target)
    found.asked += 1
    const simulation = this.mode === 'fallback' ? this.#simulation : null
    const answer = await respondFromRecording(found, {
      call,
      target,
      tape,
      simulation,
      saved: this.#saved,
    })
    // What it has saved may stand in other requests.
    if (simulation && found.step.save) this.#matching.fill(this.#saved)
    return answer
  }

  #load(): Promise<CompletedRecording> {
    this.#loading ??= this.#begin()
    return this.#loading
  }

  async #begin(): Promise<CompletedRecording> {
    const tape = await completeRecording(this.#scenario, this.#options.createFresh())
    this.#saved = new Map([...tape.saved, ...this.#kept])
    this.#matching.fill(this.#saved)
    if (this.mode === 'fallback') await this.#simulation.start(this.#saved)
    return tape
  }

  #redactor(): KeyRedactor {
    return new KeyRedactor(this.simulator.keys.list().map(({ value }) => value))
  }

  #meetUnexpected(
    asked: IncomingRequest,
    call: ApiRequest,
    target: string,
  ): ApiResponse | Promise<ApiResponse> {
    const redactor = this.#redactor()
    const nearest = this.#matching.nearest(asked, redactor)
    const unexpected = { method: call.method, path: redactor.url(target), nearest }
    this.addUnexpected(unexpected)
    this.#options.onUnexpected?.(unexpected)
    return this.mode === 'fallback'
      ? this.#simulation.respond(call, target)
      : createNotRecordedResponse(unexpected)
  }
}

/** So many unexpected requests are remembered. */
const maxUnexpected = 100
