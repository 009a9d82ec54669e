import { EndpointHandler } from '../../adapters/endpoint-handler.ts'
import { pathItems, type World } from '../../api/endpoints.ts'
import { toBaseUrl } from '../../http/base-url.ts'
import type { Endpoint } from '../../http/endpoint.ts'
import { anyJson } from '../../http/fields/shape.ts'
import type { ApiRequest, ApiResponse } from '../../http/messages.ts'
import { createPathMatcher, type PathMatcher } from '../../http/path.ts'
import { type PathItem, resolveRoute } from '../../http/route.ts'
import type { PolicySettings } from '../../policies/policies.ts'
import { createPendingRecord } from '../../sandbox/journal/record.ts'
import type { Sandbox } from '../../sandbox/sandbox.ts'
import { escapeRegExp } from '../../utils/escape-reg-exp.ts'
import type { Replay } from './replay.ts'

/** Handles every method of every path. */
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
 * Creates the handler of a replay, to be used before the handlers of its simulator. It does not handle requests to
 * sandboxes.
 *
 * @param current returns the replay. A server replaces it when the recording changes
 * @param handlesAll whether to handle every path below `/api`, as a server does, or only paths of the API or recording
 */
export function createReplayHandler(
  current: () => Replay,
  handlesAll: boolean,
): EndpointHandler<World, Sandbox> {
  const { base, simulator } = current()
  const pathItem: PathItem<World> = {
    pattern: { text: '/api/*', names: [], source: '' },
    endpoints: [replayEndpoint],
    allEndpoints: [replayEndpoint],
  }
  const { resolver } = simulator.sandboxes
  return new EndpointHandler<World, Sandbox>(
    pathItem,
    base,
    {
      resolver: {
        resolve(_sandboxId, head) {
          const sandbox = resolver.resolve(undefined, head)
          return sandbox?.number === 0 ? sandbox : undefined
        },
      },
      async run({ params: { target = '/' } }, request, sandbox) {
        const start = performance.now()
        const replay = current()
        const response = await replay.answer(request, target)
        // In fallback mode the simulation writes the entry.
        if (replay.mode !== 'fallback') {
          writeJournalEntry(request, target, response, { sandbox, start })
        }
        return response
      },
    },
    createReplayPath(current, handlesAll),
  )
}

/** Matches the URLs that the replay handles. The parameter `target` is the path and query below the base URL. */
function createReplayPath(current: () => Replay, handlesAll: boolean): PathMatcher {
  const { base } = current()
  const matchers = pathItems.map(({ pattern }) =>
    createPathMatcher(pattern, { origin: '*', prefix: '' }),
  )
  const origin = base.origin === '*' ? 'https?://[^/?#]*' : escapeRegExp(base.origin)
  const baseUrl = new RegExp(`^(?:${origin})?${escapeRegExp(base.prefix)}(?=/)`)
  return {
    pattern: '/api/*',
    match(url) {
      const [prefix] = baseUrl.exec(url) ?? []
      if (prefix === undefined) return null
      const target = url.slice(prefix.length).replace(/#.*$/s, '')
      const [path = '/'] = target.split('?')
      const isHandled =
        (handlesAll && /^\/api(\/|$)/.test(path)) ||
        matchers.some(
          (matcher) => matcher.match(path)?.sandboxId === undefined && matcher.match(path),
        ) ||
        current().hasPath(path)
      return isHandled ? { params: { target }, suffix: undefined, sandboxId: undefined } : null
    },
  }
}

/** Adds a request that the replay answered to the journal. */
function writeJournalEntry(
  request: ApiRequest,
  target: string,
  response: ApiResponse,
  { sandbox, start }: { readonly sandbox: Sandbox; readonly start: number },
): void {
  const { journal, noted } = sandbox
  if (journal.isOff) return
  const operation = findOperation(request.method, target, noted.untracked)
  const record = createPendingRecord(journal.nextId(), operation, request, sandbox)
  journal.add(record.complete(request, response, performance.now() - start))
}

function findOperation(method: string, target: string, settings: PolicySettings): string | null {
  for (const pathItem of pathItems) {
    const location = createPathMatcher(pathItem.pattern, toBaseUrl('*')).match(target)
    const route = location && resolveRoute(pathItem, method, location, settings)
    if (route) return route.endpoint.id
  }
  return null
}
