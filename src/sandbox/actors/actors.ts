import { directEdit } from '../history/history.ts'
import type { ActorHook, RoutedRequest } from '../hooks.ts'
import { matchesRequest, unmatchableReason } from '../request-pattern.ts'
import type { Sandbox } from '../sandbox.ts'
import type { ActorError, ActorInfo, ActorRequest, ActorStep } from './actor-request.ts'
import { runStep } from './run-step.ts'
import { parseActor } from './schema.ts'

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
export class Actors implements ActorHook {
  readonly #sandbox: Sandbox
  #actors: readonly Actor[] = []
  #lastNumber = 0

  constructor(sandbox: Sandbox) {
    this.#sandbox = sandbox
  }

  /** Whether no actor will ever run again. */
  get isEmpty(): boolean {
    return this.#actors.every(({ remaining }) => remaining === null)
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
    this.#setActors([...this.#actors, actor])
    return this.#toInfo(actor)
  }

  /** Lists the actors in the order in which they were added, including those that are done. */
  list(): ActorInfo[] {
    return this.#actors.map((actor) => this.#toInfo(actor))
  }

  /** Removes an actor. @returns false for an unknown id */
  remove(id: string): boolean {
    const others = this.#actors.filter((actor) => actor.id !== id)
    const isKnown = others.length < this.#actors.length
    this.#setActors(others)
    return isKnown
  }

  /** Removes all actors. Ids are not reused. */
  clear(): void {
    this.#setActors([])
  }

  /** Runs the actors that a request triggers. Called after the endpoint ran, before its response is sent. */
  afterRequest(routed: RoutedRequest): void {
    const due = this.#actors.filter((actor) => actor.countRequest(routed, this.#sandbox))
    if (due.length === 0) return
    this.#setActors(this.#actors)
    for (const actor of due) this.#run(actor)
  }

  #setActors(actors: readonly Actor[]): void {
    this.#actors = actors
    this.#sandbox.actors = this.isEmpty ? null : this
  }

  #run({ id, steps, runs, errors }: Actor): void {
    const { history, report } = this.#sandbox
    history.cause = { actor: id }
    const thrown = steps.flatMap((step, index) => {
      try {
        runStep(step, this.#sandbox)
        return []
      } catch (error) {
        const message = error instanceof Error ? error.message : String(error)
        errors.push({ run: runs, step: `steps[${index}]`, message })
        return [error]
      }
    })
    errors.splice(0, Math.max(0, errors.length - maxErrors))
    history.cause = directEdit
    for (const error of thrown) report(error)
  }

  #toInfo({ id, after, steps, runs, remaining, errors }: Actor): ActorInfo {
    const reason = unmatchableReason(after, this.#sandbox)
    const warning = reason && `It can never run: ${reason}`
    return structuredClone({ id, after, steps, runs, remaining, errors, warning })
  }
}

/** How many errors of an actor are stored: the latest ones. */
const maxErrors = 10

/** A second actor and its counters. */
class Actor {
  readonly id: string
  readonly steps: readonly ActorStep[]
  readonly after: ActorInfo['after']
  readonly errors: ActorError[] = []
  runs = 0
  /** Null if it will never run again */
  remaining: number | null

  constructor(id: string, { after, steps }: ActorRequest) {
    const { requests = 1, every = false } = after
    this.id = id
    this.steps = steps
    this.after = { ...after, requests, every }
    this.remaining = requests
  }

  /** Counts a request if it matches. @returns whether the actor runs after it */
  countRequest(routed: RoutedRequest, sandbox: Sandbox): boolean {
    if (this.remaining === null || !matchesRequest(this.after, routed, sandbox)) return false
    this.remaining -= 1
    if (this.remaining > 0) return false
    this.runs += 1
    this.remaining = this.after.every ? this.after.requests : null
    return true
  }
}
