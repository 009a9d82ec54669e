import { createDefaults } from '../../world/defaults.ts'
import { WorldAccess } from '../../world/edit/world-access.ts'
import { directEdit } from '../history/history.ts'
import type { RoutedRequest } from '../hooks.ts'
import { matchesRequest, unmatchableReason } from '../request-pattern.ts'
import type { Sandbox } from '../sandbox.ts'
import type { ActorError, ActorInfo, ActorRequest, ActorStep } from './actor-request.ts'
import { parseActor } from './parse-actor.ts'
import { runStep, type StepContext } from './run-step.ts'

/**
 * The second actors of a sandbox. They write between the requests of a client, like another user does. Their writes are
 * not requests, so the journal does not contain them, but `simulator.why` names the actor. Resetting the world keeps
 * the actors and their counters.
 *
 * @example
 * simulator.actors.add({
 *   after: { operation: 'listAnnotations', requests: 1 },
 *   steps: [{ create: 'annotations', row: { content: 'By another user' } }],
 * })
 */
export class Actors {
  readonly #sandbox: Sandbox
  #actors: readonly Actor[] = []
  /** The actors that may still run. */
  #pending: readonly Actor[] = []
  /** Whether no actor will ever run again. A field, because each request reads it. */
  isEmpty = true
  #lastNumber = 0

  constructor(sandbox: Sandbox) {
    this.#sandbox = sandbox
  }

  /**
   * Adds a second actor.
   *
   * @returns the actor. Its `warning` says why it can never run
   * @throws UsageError with every issue; then nothing is added
   */
  add(request: ActorRequest): ActorInfo {
    const actor = new Actor(`actor-${this.#lastNumber + 1}`, parseActor(request))
    this.#lastNumber += 1
    this.#actors = [...this.#actors, actor]
    this.#setPending([...this.#pending, actor])
    return this.#toInfo(actor)
  }

  /** Lists the actors in the order in which they were added, including those that are done. */
  list(): ActorInfo[] {
    return this.#actors.map((actor) => this.#toInfo(actor))
  }

  /** Removes an actor. @returns false for an unknown id */
  remove(id: string): boolean {
    const isKnown = this.#actors.some((actor) => actor.id === id)
    this.#actors = this.#actors.filter((actor) => actor.id !== id)
    this.#setPending(this.#pending.filter((actor) => actor.id !== id))
    return isKnown
  }

  /** Removes all actors. Ids are not reused. */
  clear(): void {
    this.#actors = []
    this.#setPending([])
  }

  /** Runs the actors that a request triggers. Called after the endpoint ran, before its response is sent. */
  afterRequest(routed: RoutedRequest): void {
    const due = this.#pending.filter((actor) => actor.countRequest(routed, this.#sandbox))
    if (due.length === 0) return
    this.#setPending(this.#pending.filter(({ isDone }) => !isDone))
    for (const actor of due) this.#run(actor)
  }

  #setPending(actors: readonly Actor[]): void {
    this.#pending = actors
    this.isEmpty = actors.length === 0
  }

  #run(actor: Actor): void {
    const { history, report } = this.#sandbox
    history.cause = { actor: actor.id }
    const errors = actor.steps.flatMap((step, index) => {
      try {
        runStep(step, this.#createStepContext())
        return []
      } catch (error) {
        actor.addError(index, error)
        return [error]
      }
    })
    history.cause = directEdit
    for (const error of errors) report(error)
  }

  #createStepContext(): StepContext {
    const { tables, clock, policyTracker } = this.#sandbox
    const defaults = createDefaults(this.#sandbox)
    const access = new WorldAccess(this.#sandbox, defaults)
    // Untracked, since the response to the request does not depend on what an actor reads.
    return { tables, clock, defaults, access, settings: policyTracker.untracked }
  }

  #toInfo({ after, info }: Actor): ActorInfo {
    const reason = unmatchableReason(after, this.#sandbox)
    return { ...info, warning: reason && `It can never run: ${reason}` }
  }
}

/** How many errors of an actor are stored: the latest ones. */
const maxErrors = 10

/** A second actor and its counters. */
class Actor {
  readonly id: string
  readonly steps: readonly ActorStep[]
  readonly after: ActorInfo['after']
  readonly #errors: ActorError[] = []
  #runs = 0
  #remaining: number | null

  constructor(id: string, { after, steps }: ActorRequest) {
    const { requests = 1, every = false } = after
    this.id = id
    this.steps = steps
    this.after = { ...after, requests, every }
    this.#remaining = requests
  }

  /** Whether it will never run again. */
  get isDone(): boolean {
    return this.#remaining === null
  }

  /** Counts a request if it matches. @returns whether the actor runs after it */
  countRequest(routed: RoutedRequest, sandbox: Pick<Sandbox, 'tables' | 'policyTracker'>): boolean {
    if (this.#remaining === null || !matchesRequest(this.after, routed, sandbox)) return false
    this.#remaining -= 1
    if (this.#remaining > 0) return false
    this.#runs += 1
    this.#remaining = this.after.every ? this.after.requests : null
    return true
  }

  /** Stores the error of a step. */
  addError(step: number, error: unknown): void {
    const message = error instanceof Error ? error.message : String(error)
    this.#errors.push({ run: this.#runs, step: `steps[${step}]`, message })
    if (this.#errors.length > maxErrors) this.#errors.shift()
  }

  /** A copy of its state. */
  get info(): Omit<ActorInfo, 'warning'> {
    return structuredClone({
      id: this.id,
      after: this.after,
      steps: this.steps,
      runs: this.#runs,
      remaining: this.#remaining,
      errors: this.#errors,
    })
  }
}
