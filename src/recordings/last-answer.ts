import type { ResponseContext } from './expected.ts'
import { collectIds } from './learn-answer.ts'

/**
 * The answer that came last, until its values are remembered: on the way, where its step is put together, else when
 * the next request comes. So it is looked through once.
 */
export class PendingResponse {
  #waiting: { readonly body: unknown; readonly hearing: ResponseContext } | null = null

  /** Another one: what waited is to be remembered before. */
  set(body: unknown, hearing: ResponseContext): void {
    this.#waiting = { body, hearing }
  }

  /** Whether it is the answer of a step, and its values are not remembered yet. */
  isFrom(step: number): boolean {
    return this.#waiting?.hearing.step === step
  }

  /** Its values are remembered. */
  clear(): void {
    this.#waiting = null
  }

  /** Remembers its values, unless that is done. */
  collect(): void {
    if (this.#waiting) collectIds(this.#waiting.body, this.#waiting.hearing)
    this.clear()
  }
}
