import type { ApiResponse } from './call.ts'

/** No answer: the connection breaks in its place. */
export const networkErrorResponse: ApiResponse = { status: 0, headers: {}, text: '', ascii: true }

/** Marks errors that break a connection on purpose; a symbol, since the code may be there twice. */
const networkErrorMark: unique symbol = Symbol.for('understudy-api/broken-off') as never

/** What a body throws to break its connection: the error that fetch has for it. */
export function createNetworkError(): TypeError {
  return Object.assign(new TypeError('terminated'), { [networkErrorMark]: true })
}

/** Whether a connection was broken on purpose, which is nobody's fault. */
export function isSimulatedNetworkError(error: unknown): boolean {
  return typeof error === 'object' && error !== null && networkErrorMark in error
}
