import type { ServerResponse } from 'node:http'
// Not the global one, in whose place tests put their own: answers wait for no clock of theirs.
import { setImmediate } from 'node:timers'
import type { ApiResponse } from '../../http/messages.ts'

type Send = (response: ServerResponse, answer: ApiResponse) => void

/**
 * Sends the answers of one turn of the event loop together, at its end.
 *
 * @note A busy server reads many requests in one turn. For each answer that is written alone a client that has fallen
 * asleep is woken, which costs the server as much as to make a small answer; for many at once it is woken once.
 */
export class ResponseBatch {
  readonly #send: Send
  #responses: ServerResponse[] = []
  #answers: ApiResponse[] = []

  /** @param send writes an answer, and never throws */
  constructor(send: Send) {
    this.#send = send
  }

  add(response: ServerResponse, answer: ApiResponse): void {
    this.#responses.push(response)
    this.#answers.push(answer)
    if (this.#answers.length === 1) setImmediate(this.#flush)
  }

  readonly #flush = (): void => {
    const [responses, answers] = [this.#responses, this.#answers]
    this.#responses = []
    this.#answers = []
    for (let index = 0; index < answers.length; index++) {
      this.#send(responses[index] as ServerResponse, answers[index] as ApiResponse)
    }
  }
}
