import { findPath, resolvePath } from '../../api/find-route.ts'
import { readMultipart } from '../../http/body.ts'
import type { OperationId } from '../../http/operation-id.ts'
import type { ApiHandler } from '../../http/route.ts'
import { JournalRecord } from '../../simulator/journal/journal.ts'
import { escapeRegExp } from '../../utils/escape.ts'
import type { Replay } from './replay.ts'

/**
 * Handles requests before the handlers of the simulator, except requests to sandboxes. With `handlesAll` it handles every
 * path below `/api`, as a server does; otherwise only paths of the API and of the recording.
 */
export function createReplayHandler(current: () => Replay, handlesAll: boolean): ApiHandler {
  const { base, simulator } = current()
  const findTarget = createTargetFinder(current, handlesAll)
  return {
    base,
    pattern: '/api/*',
    methods: ['*'],
    match(_method, url, head) {
      const target = findTarget(url)
      if (target === null) return null
      const state = simulator.sandboxes.resolve(undefined, head)
      if (state?.number !== 0) return null
      return {
        bodyLimit: state.settings['limits.body'],
        async handle(request) {
          await readMultipart(request)
          const start = performance.now()
          const replay = current()
          const { response, isInJournal } = await replay.respond(request, target)
          const { journal, settingTracker } = state
          if (isInJournal || journal.isOff) return response
          const route = resolvePath(request.method, target, settingTracker.untracked)
          const operation = (route?.endpoint.id as OperationId | undefined) ?? null
          const record = new JournalRecord(journal.nextId(), operation, request, state)
          state.record(record.complete(request, response, performance.now() - start))
          return response
        },
      }
    },
  }
}

/** Returns a function that finds the path and the query of a URL that the replay handles. Null for any other URL. */
function createTargetFinder(
  current: () => Replay,
  handlesAll: boolean,
): (url: string) => string | null {
  const { base } = current()
  const origin = base.origin === '*' ? 'https?://[^/?#]*' : escapeRegExp(base.origin)
  const baseUrl = new RegExp(`^(?:${origin})?${escapeRegExp(base.prefix)}(?=/)`)
  return (url) => {
    const [prefix] = baseUrl.exec(url) ?? []
    if (prefix === undefined) return null
    const target = url.slice(prefix.length).replace(/#.*$/s, '')
    const [path = '/'] = target.split('?')
    const isOfApi = handlesAll ? /^\/api(\/|$)/.test(path) : isOperationPath(path)
    return isOfApi || current().hasPath(path) ? target : null
  }
}

function isOperationPath(path: string): boolean {
  const found = findPath(path)
  return found !== null && found.match.sandboxId === undefined
}
