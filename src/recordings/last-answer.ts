import type { Hearing } from './expected.ts'
import { learnAnswer } from './learn-answer.ts'

/**
 * The answer that came last, until its values are remembered: on the way, where its step is put together, else when
 * the next request comes. So it is looked through once.
 */
export class LastAnswer {
  #waiting: { readonly body: unknown; readonly hearing: Hearing } | null = null

  /** Another one: what waited is to be remembered before. */
  put(body: unknown, hearing: Hearing): void {
    this.#waiting = { body, hearing }
  }

  /** Whether it is the answer of a step, and its values are not remembered yet. */
  isOf(step: number): boolean {
    return this.#waiting?.hearing.step === step
  }

  /** Its values are remembered. */
  done(): void {
    this.#waiting = null
  }

  /** Remembers its values, unless that is done. */
  learn(): void {
    if (this.#waiting) learnAnswer(this.#waiting.body, this.#waiting.hearing)
    this.done()
  }
}
