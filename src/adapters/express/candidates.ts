import type { RequestHandler } from 'msw'
import {
  type ApiHandler,
  compileHandlers,
  type MatchRequest,
  type RequestMatch,
  toApiHandler,
} from '../../http/api-handler.ts'
import type { RequestHead } from '../../http/messages.ts'
import { UserHandlers } from '../user-handlers.ts'

/** What can answer a request. */
interface Candidates {
  /** Handlers of MSW that come first. Only when they run do they say whether they match */
  readonly before: readonly RequestHandler[]
  /** The handler of the API, or null if none matches */
  readonly match: RequestMatch | null
}

type FindCandidates = (method: string, url: string, head: RequestHead) => Candidates

/** Compiles a list of MSW handlers. Those of this package are found by their paths, and run without MSW. */
export function compileCandidates(handlers: readonly RequestHandler[]): FindCandidates {
  const steps = toSteps(handlers)
  return (method, url, head) => {
    const before: RequestHandler[] = []
    for (const step of steps) {
      if (typeof step !== 'function') {
        if (canRun(step, method, url)) before.push(step)
        continue
      }
      const match = step(url, head)
      if (match) return { before, match }
    }
    return { before, match: null }
  }
}

/** Handlers of the API that follow each other become one step. */
function toSteps(handlers: readonly RequestHandler[]): (RequestHandler | MatchRequest)[] {
  const first = handlers.findIndex(toApiHandler)
  if (first < 0) return [...handlers]
  const rest = handlers.slice(first)
  const count = rest.findIndex((handler) => !toApiHandler(handler))
  const group = count < 0 ? rest : rest.slice(0, count)
  const match = compileHandlers(group.map((handler) => toApiHandler(handler) as ApiHandler))
  return [...handlers.slice(0, first), match, ...toSteps(rest.slice(group.length))]
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
