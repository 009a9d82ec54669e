import type { ServerResponse } from 'node:http'
// Not the global function, which fake timers replace.
import { setImmediate } from 'node:timers'
import { promisify } from 'node:util'
import type { ApiResponse } from '../../http/messages.ts'
import { nextTurn } from '../../utils/wait.ts'

type Send = (nodeResponse: ServerResponse, response: ApiResponse) => void

/** The mock timers of node:test replace even this one, if a test enables them before it imports this module. */
const isReplaced = !(promisify.custom in setImmediate)
const atEndOfTurn = isReplaced ? (run: () => void) => void nextTurn().then(run) : setImmediate

/**
 * Sends the responses of one turn of the event loop together, at its end.
 *
 * @param send must not throw
 * @note A busy server reads many requests in one turn. A response that is written alone wakes a client that sleeps, which
 * costs as much as the rest of a small request.
 */
export function sendTogether(send: Send): Send {
  let waiting: Parameters<Send>[] = []
  const sendAll = (): void => {
    const all = waiting
    waiting = []
    for (const [nodeResponse, response] of all) send(nodeResponse, response)
  }
  return (nodeResponse, response) => {
    if (waiting.push([nodeResponse, response]) === 1) atEndOfTurn(sendAll)
  }
}
