import { type ConnectionFailure, describeConnectionError } from '../no-answer.ts'
import { UsageError } from '../usage-error.ts'

/** What a server said of a failed call. */
interface ErrorDetails {
  readonly status: number
  /** The name of the failure, such as `not_found`. */
  readonly code: string | null
  /** The field at fault. */
  readonly attr: string | null
}

/**
 * A call of the control API that failed: what the server says of it, with the field at fault. Where no server
 * answers, there is no status.
 */
export class RemoteError extends UsageError {
  /** Of the answer; null where there was none. */
  readonly status: number | null
  /** The name of the failure, such as `not_found`; null where the server gave none. */
  readonly code: string | null

  constructor(message: string, refusal: ErrorDetails | null = null) {
    super(message, [], refusal?.attr ?? null)
    this.status = refusal?.status ?? null
    this.code = refusal?.code ?? null
  }
}

/** What a refusal says. */
export async function toRemoteError(response: Response): Promise<RemoteError> {
  const { status, url } = response
  try {
    const { code, detail, attr } = await response.json()
    if (typeof detail === 'string') return new RemoteError(detail, { status, code, attr })
  } catch {
    // Whoever answered is not the control API.
  }
  return notControlApi(url, status)
}

/** What answered is something else. */
export function notControlApi(url: string, status: number): RemoteError {
  return new RemoteError(
    `Failed to use the control API: expected it at ${url}, got an answer of another kind (${status}). Check the address.`,
    { status, code: null, attr: null },
  )
}

/** Nothing answered. */
export function serverUnreachable(url: string, error: unknown): RemoteError {
  const { cause, message } = error as { cause?: ConnectionFailure; message: string }
  const got = cause
    ? (describeConnectionError(cause)?.got ?? `a broken connection (${cause.code})`)
    : message
  const said = new RemoteError(
    `Failed to reach ${url}: expected a running server, got ${got}. Start it with understudy serve.`,
  )
  return Object.assign(said, { cause: error })
}
