import { createDefaults } from '../defaults.ts'
import type { RoutedRequest } from '../faults/matching.ts'
import { directEdit } from '../history/history.ts'
import type { Sandbox } from '../sandbox.ts'
import { WorldAccess } from '../world/access.ts'
import { Actor } from './actor.ts'
import { parseActor } from './read.ts'
import type { ActorInfo, ActorRequest } from './request.ts'
import { runStep, type StepContext } from './steps.ts'
import { unreachableActorReason } from './warning.ts'

/**
 * The second actors of a sandbox: they write at moments that requests decide, between two of a client's
 * requests. What they write is like another user's: it is no request, and history tells it apart. Resetting the
 * world leaves them, and what they have counted, as they are.
 *
 * @example
 * simulator.actors.add({
 *   after: { operation: 'listAnnotations', requests: 1 },
 *   steps: [{ create: 'annotations', row: { content: 'By somebody else' } }],
 * })
 */
export class Actors {
  readonly #sandbox: Sandbox
  #actors: readonly Actor[] = []
  /** Those that may still write. */
  #waiting: readonly Actor[] = []
  #count = 0

  constructor(sandbox: Sandbox) {
    this.#sandbox = sandbox
  }

  /** Whether none may write any more, which is what most requests find. */
  get isEmpty(): boolean {
    return this.#waiting.length === 0
  }

  /** Adds a second actor; one that can never write says so in its `warning`. @throws UsageError with every fault */
  add(request: ActorRequest): ActorInfo {
    const actor = new Actor(`actor-${this.#count + 1}`, parseActor(request))
    this.#count += 1
    this.#actors = [...this.#actors, actor]
    this.#waiting = [...this.#waiting, actor]
    return this.#show(actor)
  }

  /** All of them, also those that are done, in the order in which they were added. */
  list(): ActorInfo[] {
    return this.#actors.map((actor) => this.#show(actor))
  }

  /** Takes one away; false when there is none of that id. */
  remove(id: string): boolean {
    const isKnown = this.#actors.some((actor) => actor.id === id)
    this.#actors = this.#actors.filter((actor) => actor.id !== id)
    this.#waiting = this.#waiting.filter((actor) => actor.id !== id)
    return isKnown
  }

  /** Takes all away. Ids are not used again. */
  clear(): void {
    this.#actors = []
    this.#waiting = []
  }

  /** Called when a request has been carried out, before its answer leaves. */
  afterRequest(asked: RoutedRequest): void {
    const due = this.#waiting.filter((actor) => actor.isDue(asked, this.#sandbox))
    if (due.length === 0) return
    this.#waiting = this.#waiting.filter(({ isDone }) => !isDone)
    for (const actor of due) this.#play(actor)
  }

  #play(actor: Actor): void {
    const { history, report } = this.#sandbox
    history.cause = { actor: actor.id }
    const failures = actor.steps.flatMap((step, index) => {
      try {
        runStep(step, this.#stage())
        return []
      } catch (error) {
        actor.recordFailure(index, error)
        return [error]
      }
    })
    history.cause = directEdit
    for (const failure of failures) report(failure)
  }

  #show({ after, info }: Actor): ActorInfo {
    const { tables, noted } = this.#sandbox
    return { ...info, warning: unreachableActorReason(after, tables, noted.untracked) }
  }

  #stage(): StepContext {
    const sandbox = this.#sandbox
    const { tables, clock, noted } = sandbox
    const defaults = createDefaults(sandbox)
    const access = new WorldAccess(sandbox, defaults)
    // Not `settings`: what is read there counts as read by the request.
    return { tables, clock, defaults, access, settings: noted.untracked }
  }
}
