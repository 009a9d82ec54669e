import { EndpointHandler } from '../../adapters/endpoint-handler.ts'
import { pathItems, type World } from '../../api/endpoints.ts'
import type { Endpoint } from '../../http/endpoint.ts'
import { anyJson } from '../../http/fields/shape.ts'
import type { ApiRequest, ApiResponse } from '../../http/messages.ts'
import { type PathItem, resolveRoute } from '../../http/route.ts'
import { createPathMatcher, type PathMatcher, toBaseUrl } from '../../http/url.ts'
import type { PolicySettings } from '../../policies/policies.ts'
import { createPendingRecord } from '../../sandbox/journal/record.ts'
import type { Sandbox } from '../../sandbox/sandbox.ts'
import { escapeRegExp } from '../../utils/escape.ts'
import type { Replay } from './replay.ts'

/** Answers by a recording to whatever method a path is asked with. */
const replayEndpoint: Endpoint<World> = {
  id: 'replay',
  summary: 'Answer as it was recorded.',
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
 * A recording as a door that stands before those of its simulator. Sandboxes, by address or by key, answer for
 * themselves.
 *
 * @param current the recording, which may give way to another version of itself
 * @param isWhole whether all below `/api` is ours, as on a server; else only paths that are described or recorded
 */
export function createReplayHandler(
  current: () => Replay,
  isWhole: boolean,
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
    createReplayPath(current, isWhole),
  )
}

/** Finds the path and the query from where the API begins, in addresses that are a recording's to answer. */
function createReplayPath(current: () => Replay, isWhole: boolean): PathMatcher {
  const { base } = current()
  const known = pathItems.map(({ pattern }) =>
    createPathMatcher(pattern, { origin: '*', prefix: '' }),
  )
  const origin = base.origin === '*' ? 'https?://[^/?#]*' : escapeRegExp(base.origin)
  const start = new RegExp(`^(?:${origin})?${escapeRegExp(base.prefix)}(?=/)`)
  return {
    pattern: '/api/*',
    match(url) {
      const [begin] = start.exec(url) ?? []
      if (begin === undefined) return null
      const target = url.slice(begin.length).replace(/#.*$/s, '')
      const [path = '/'] = target.split('?')
      const isOurs =
        (isWhole && /^\/api(\/|$)/.test(path)) ||
        known.some((one) => one.match(path)?.sandboxId === undefined && one.match(path) !== null) ||
        current().hasPath(path)
      return isOurs ? { params: { target }, suffix: undefined, sandboxId: undefined } : null
    },
  }
}

/** Adds a request that the recording answered to the journal of its simulator. */
function writeJournalEntry(
  request: ApiRequest,
  target: string,
  response: ApiResponse,
  { sandbox, start }: { readonly sandbox: Sandbox; readonly start: number },
): void {
  const { journal, policyTracker } = sandbox
  if (journal.isOff) return
  const operation = findOperation(request.method, target, policyTracker.untracked)
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
