import { matchesRequest, type RoutedRequest } from '../faults/matching.ts'
import type { Sandbox } from '../sandbox.ts'
import type { ActorError, ActorInfo, ActorRequest, ActorStep } from './request.ts'

/** How many errors an actor remembers: one that writes again and again could fail as often. */
const maxErrors = 10

/** One second actor: counts the requests that match, and knows when it is its turn. */
export class Actor {
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
  isDue(asked: RoutedRequest, sandbox: Pick<Sandbox, 'tables' | 'noted'>): boolean {
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
