import type { PolicySettings } from '../../policies/policies.ts'
import { createDefaults } from '../../world/defaults.ts'
import { WorldAccess } from '../../world/edit/world-access.ts'
import type { Tables } from '../../world/table/tables.ts'
import { directEdit } from '../history/history.ts'
import type { RoutedRequest } from '../hooks.ts'
import { keyIssue, matchesRequest, operationIssue, pathIssue } from '../request-pattern.ts'
import type { Sandbox } from '../sandbox.ts'
import type {
  ActorError,
  ActorInfo,
  ActorRequest,
  ActorStep,
  ActorTrigger,
} from './actor-request.ts'
import { parseActor } from './parse-actor.ts'
import { runStep, type StepContext } from './run-step.ts'

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
    const { tables, policyTracker } = this.#sandbox
    return { ...info, warning: unreachableActorReason(after, tables, policyTracker.untracked) }
  }

  #stage(): StepContext {
    const sandbox = this.#sandbox
    const { tables, clock, policyTracker } = sandbox
    const defaults = createDefaults(sandbox)
    const access = new WorldAccess(sandbox, defaults)
    // Not `settings`: what is read there counts as read by the request.
    return { tables, clock, defaults, access, settings: policyTracker.untracked }
  }
}

/** How many errors an actor remembers: one that writes again and again could fail as often. */
const maxErrors = 10

/** One second actor: counts the requests that match, and knows when it is its turn. */
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

  /** Whether it has written all it ever will. */
  get isDone(): boolean {
    return this.#remaining === null
  }

  /** How often it has written. */
  get runs(): number {
    return this.#runs
  }

  /** Counts a request; true when it writes after this one. */
  isDue(asked: RoutedRequest, sandbox: Pick<Sandbox, 'tables' | 'policyTracker'>): boolean {
    if (this.#remaining === null || !matchesRequest(this.after, asked, sandbox)) return false
    this.#remaining -= 1
    if (this.#remaining > 0) return false
    this.#runs += 1
    this.#remaining = this.after.every ? this.after.requests : null
    return true
  }

  /** Remembers a step that could not be carried out. */
  recordFailure(step: number, error: unknown): void {
    const message = error instanceof Error ? error.message : String(error)
    this.#errors.push({ run: this.#runs, step: `steps[${step}]`, message })
    if (this.#errors.length > maxErrors) this.#errors.shift()
  }

  /** As it is now, as a copy. */
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

/** Why no request can be one that a moment counts, as things are; null where one can. */
function unreachableActorReason(
  { operation, path, key }: ActorTrigger,
  { keys }: Tables,
  settings: PolicySettings,
): string | null {
  const reason = operationIssue(operation, settings) ?? pathIssue(path) ?? keyIssue(key, keys)
  return reason && `It can never write: ${reason}`
}
