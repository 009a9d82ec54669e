import { dropped } from '../http/broken.ts'
import type { Answer } from '../http/call.ts'
import { wait } from '../timers.ts'
import type { Tables } from '../world/tables.ts'
import { type BodyCourse, bodyInPieces } from './broken-body.ts'
import type { AppliedFault, Disturbed } from './fault.ts'
import { mainEffect } from './phases.ts'
import { answerOf, failureOf } from './replacements.ts'
import type { FaultEffect, FaultPhase } from './rule.ts'

/** What is settled of a fault when it strikes. */
export interface Strike {
  readonly id: string
  readonly phase: FaultPhase
  readonly effect: FaultEffect
  /** Milliseconds. */
  readonly delay: number
  /** The rows that a stale read is answered from: looked up when it is, since a reset may come before. */
  readonly past: () => Tables
}

/** A fault that strikes one request. A caller who goes away while it waits ends the wait: before the commit, nothing is carried out. */
export class StruckFault implements AppliedFault {
  readonly id: string
  readonly phase: FaultPhase
  readonly effect: FaultEffect
  readonly #delay: number
  readonly #past: () => Tables

  constructor({ id, phase, effect, delay, past }: Strike) {
    this.id = id
    this.phase = phase
    this.effect = effect
    this.#delay = delay
    this.#past = past
  }

  disturb(request: Disturbed): Answer | Promise<Answer> {
    const isPause = this.phase === 'mid-body' && mainEffect(this.effect) === 'delay_ms'
    if (this.phase === 'after-commit') {
      const given = request.commit()
      return this.#later(request, () => this.#replace(request, () => given))
    }
    if (isPause) return this.#spread(request)
    return this.#later(request, () =>
      this.phase === 'mid-body'
        ? this.#spread(request)
        : this.#replace(request, () => request.commit()),
    )
  }

  /** After the delay, where there is one: without it no timer is used. */
  #later({ call }: Disturbed, next: () => Answer): Answer | Promise<Answer> {
    if (this.#delay === 0) return next()
    const isThere = wait(this.#delay, call.onGone?.bind(call))
    return isThere.then((waited) => (waited ? next() : dropped))
  }

  /** The answer that takes the place of the service's, or that one where it is only late. */
  #replace(request: Disturbed, own: () => Answer): Answer {
    switch (mainEffect(this.effect)) {
      case 'error':
        return request.refuse(failureOf(this.effect, request.call))
      case 'status':
        return answerOf(this.effect)
      case 'drop':
        return dropped
      case 'stale':
        return request.recall(this.#past())
      default:
        return own()
    }
  }

  /** The service's answer, with a body that breaks, crawls or pauses; one without a body is as it is. */
  #spread(request: Disturbed): Answer {
    const given = request.commit()
    if (given.text === '' || given.stream) return given
    const { cut_bytes, slow_bytes_per_s, drop } = this.effect
    const isPause = mainEffect(this.effect) === 'delay_ms' && this.#delay > 0
    const course = (length: number): BodyCourse => {
      const half = Math.ceil(length / 2)
      return {
        cut: drop ? half : cut_bytes,
        bytesPerSecond: slow_bytes_per_s,
        ...(isPause && { pause: { milliseconds: this.#delay, after: half } }),
      }
    }
    const { call } = request
    return { ...given, stream: bodyInPieces(given.text, course, call.onGone?.bind(call)) }
  }
}
