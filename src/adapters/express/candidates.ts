import type { RequestHandler } from 'msw'
import {
  type ApiHandler,
  compileHandlers,
  type RequestMatch,
  toApiHandler,
} from '../../http/api-handler.ts'
import type { RequestHead } from '../../http/messages.ts'
import { UserHandlers } from '../user-handlers.ts'

/** What can answer a request. */
export interface Candidates {
  /** Handlers of MSW that come first. Only when they run do they say whether they match */
  readonly before: readonly RequestHandler[]
  /** The handler of the API, or null if none matches */
  readonly match: RequestMatch | null
}

export type FindCandidates = (method: string, url: string, head: RequestHead) => Candidates

/** Handlers of MSW, and those of the API behind them. */
interface Part {
  readonly before: RequestHandler[]
  readonly api: ApiHandler[]
}

/** Compiles a list of MSW handlers. Those of this package are found by their paths, and run without MSW. */
export function compileCandidates(handlers: readonly RequestHandler[]): FindCandidates {
  const parts = splitIntoParts(handlers).map(({ before, api }) => ({
    before,
    match: compileHandlers(api),
  }))
  return (method, url, head) => {
    let before: readonly RequestHandler[] = none
    for (const part of parts) {
      const running = part.before.filter((handler) => canRun(handler, method, url))
      if (running.length > 0) before = [...before, ...running]
      const match = part.match(url, head)
      if (match) return { before, match }
    }
    return { before, match: null }
  }
}

const none: readonly RequestHandler[] = []

function splitIntoParts(handlers: readonly RequestHandler[]): Part[] {
  const parts: Part[] = []
  for (const handler of handlers) {
    const api = toApiHandler(handler)
    let last = parts.at(-1)
    if (!last || (!api && last.api.length > 0)) {
      last = { before: [], api: [] }
      parts.push(last)
    }
    if (api) last.api.push(api)
    else last.before.push(handler)
  }
  return parts
}

/**
 * TRACE cannot be a fetch Request, so only handlers of the API can serve it. MSW throws for a path that cannot be
 * decoded.
 */
function canRun(handler: RequestHandler, method: string, url: string): boolean {
  if (handler instanceof UserHandlers && handler.current.length === 0) return false
  return method !== 'TRACE' && isDecodable(url)
}

function isDecodable(url: string): boolean {
  try {
    decodeURIComponent(url)
    return true
  } catch {
    return false
  }
}
