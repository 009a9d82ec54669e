import { isPassthrough } from '../../adapters/handle-fetch.ts'
import { bodilessStatuses } from '../../sandbox/faults/effects.ts'
import { abortOf } from '../../utils/abort.ts'
import { fetchFailed } from './redirect.ts'

/** Whether nothing has to be done for a response of a handler but to return it, to follow it or to fail. */
export function isDirectResponse(response: Response): boolean {
  const { status, headers, body, type } = response
  if (type === 'error') return true
  const hasEffects = headers.has('set-cookie') || headers.has('content-encoding')
  return status >= 200 && body?.locked !== true && !hasEffects && !isPassthrough(response)
}

/**
 * Returns the response of a handler as its client sees it.
 *
 * @param signal aborts it, or null
 * @throws TypeError for a response that is a network error
 */
export function toFetched(
  response: Response,
  request: Request,
  signal: AbortSignal | null,
  redirected: boolean,
): Response {
  if (response.type === 'error') throw fetchFailed(connectionReset())
  const { body, status } = response
  const [url = ''] = request.url.split('#')
  const facts = valuesOf({ url, type: 'basic', redirected })
  const isEmpty = request.method === 'HEAD' || bodilessStatuses.includes(status)
  if (isEmpty) return withFacts(new Response(null, response), facts)
  if (body === null) return withFacts(new Response(new Uint8Array(), response), facts)
  if (signal === null) return withFacts(response, facts)
  return withFacts(new Response(untilAborted(body, signal), response), facts)
}

/** The error of Node for a connection that the server broke. Clients recognize it by its code. */
function connectionReset(): Error {
  const values = { errno: -104, code: 'ECONNRESET', syscall: 'read' }
  return Object.assign(new Error('read ECONNRESET'), values)
}

/** Only `fetch` itself creates such responses. */
function withFacts(response: Response, facts: PropertyDescriptorMap): Response {
  const { headers } = response
  Object.defineProperties(headers, immutable)
  const clone = () => withFacts(Response.prototype.clone.call(response), facts)
  return Object.defineProperties(response, { ...facts, ...valuesOf({ clone }) })
}

/** A handler can respond with what it fetched itself, so that these properties are defined again. */
function valuesOf(values: object): PropertyDescriptorMap {
  const entries = Object.entries(values)
  return Object.fromEntries(entries.map(([name, value]) => [name, { value, configurable: true }]))
}

const refuse = (): never => {
  throw new TypeError('immutable')
}
const immutable = valuesOf({ append: refuse, delete: refuse, set: refuse })

/** The reason of the signal is the error of a body that is not read yet. */
function untilAborted(body: ReadableStream<Uint8Array>, signal: AbortSignal): BodyInit {
  const reader = body.getReader()
  let stop = (): void => {}
  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        const abort = (): void => {
          controller.error(signal.reason)
          reader.cancel(signal.reason).catch(() => {})
        }
        stop = abortOf(signal)(abort)
      },
      async pull(controller) {
        const { done, value } = await reader.read()
        if (signal.aborted) return
        if (!done) return controller.enqueue(value)
        stop()
        controller.close()
      },
      cancel(reason) {
        stop()
        return reader.cancel(reason)
      },
    },
    { highWaterMark: 0 },
  )
}
