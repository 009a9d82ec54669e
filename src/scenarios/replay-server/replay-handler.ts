import type { World } from '../../api/endpoints.ts'
import { findPath, resolvePath } from '../../api/find-route.ts'
import type { OperationId } from '../../api/operation-id.ts'
import type { Endpoint } from '../../http/endpoint.ts'
import { anyJson } from '../../http/fields/body-fields.ts'
import { type ApiHandler, createEndpointHandler, type PathItem } from '../../http/route.ts'
import type { PathMatch } from '../../http/url.ts'
import { JournalRecord } from '../../simulator/journal/journal.ts'
import type { State } from '../../simulator/state.ts'
import { escapeRegExp } from '../../utils/escape.ts'
import type { Replay } from './replay.ts'

const replayEndpoint: Endpoint<World> = {
  id: 'replay',
  summary: 'Return the recorded response.',
  method: '*',
  path: '/api/*',
  scope: 'any_key',
  params: {},
  status: 200,
  response: anyJson,
  errors: ['server_error'],
  handle: () => undefined,
}

/**
 * Handles requests before the handlers of the simulator, except requests to sandboxes. With `handlesAll` it handles every
 * path below `/api`, as a server does; otherwise only paths of the API and of the recording.
 */
export function createReplayHandler(current: () => Replay, handlesAll: boolean): ApiHandler {
  const { base, simulator } = current()
  const pathItem: PathItem<World> = {
    path: '/api/*',
    endpoints: [replayEndpoint],
    allEndpoints: [replayEndpoint],
  }
  const { sandboxes } = simulator
  return createEndpointHandler<World, State>(
    pathItem,
    base,
    {
      resolver: {
        resolve(_sandboxId, head) {
          const state = sandboxes.resolve(undefined, head)
          return state?.number === 0 ? state : undefined
        },
      },
      async run({ params: { target = '/' } }, request, state) {
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
    },
    createReplayPath(current, handlesAll),
  )
}

/** Matches the URLs that the replay handles. */
function createReplayPath(
  current: () => Replay,
  handlesAll: boolean,
): (url: string) => PathMatch | null {
  const { base } = current()
  const origin = base.origin === '*' ? 'https?://[^/?#]*' : escapeRegExp(base.origin)
  const baseUrl = new RegExp(`^(?:${origin})?${escapeRegExp(base.prefix)}(?=/)`)
  return (url) => {
    const [prefix] = baseUrl.exec(url) ?? []
    if (prefix === undefined) return null
    const target = url.slice(prefix.length).replace(/#.*$/s, '')
    const [path = '/'] = target.split('?')
    const isOfApi = handlesAll ? /^\/api(\/|$)/.test(path) : isOperationPath(path)
    const isHandled = isOfApi || current().hasPath(path)
    return isHandled ? { params: { target }, suffix: undefined, sandboxId: undefined } : null
  }
}

function isOperationPath(path: string): boolean {
  const found = findPath(path)
  return found !== null && found.match.sandboxId === undefined
}
