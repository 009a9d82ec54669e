import { EndpointHandler } from '../../adapters/endpoint-handler.ts'
import { pathItems, type World } from '../../api/endpoints.ts'
import { toBaseUrl } from '../../http/base-url.ts'
import type { Endpoint } from '../../http/endpoint.ts'
import { anyJson } from '../../http/fields/shape.ts'
import type { ApiRequest, ApiResponse } from '../../http/messages.ts'
import { createPathMatcher, type PathMatcher } from '../../http/path.ts'
import { createRoutes, type EndpointRoute, matchRoute } from '../../http/route.ts'
import { createPendingRecord } from '../../sandbox/journal/record.ts'
import type { Sandbox } from '../../sandbox/sandbox.ts'
import type { Simulator } from '../../simulator.ts'
import { escapeRegExp } from '../../utils/escape-reg-exp.ts'
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
  const path = createReplayPath(current, isWhole)
  const family = {
    pattern: { text: '/api/*', names: [], source: '' },
    allEndpoints: [replayEndpoint],
  }
  const route: EndpointRoute<World> = {
    endpoint: replayEndpoint,
    path,
    pathItem: { ...family, endpoints: [replayEndpoint] },
  }
  const { sandboxes } = simulator
  return new EndpointHandler<World, Sandbox>(route, base, {
    choose(_named, head) {
      const sandbox = sandboxes.resolve(undefined, head)
      return sandbox?.number === 0 ? sandbox : undefined
    },
    async answer(_route, { target = '/' }, call, sandbox) {
      const began = performance.now()
      const replay = current()
      const answer = await replay.answer(call, target)
      // What is simulated, too, is in the journal by that.
      if (replay.mode !== 'fallback') writeJournalEntry(call, target, answer, { sandbox, began })
      return answer
    },
  })
}

/** The doors of a simulator on a server: that of the replay that it has stands before its own. */
export function endpointHandlersOf(simulator: Simulator): Simulator['endpointHandlers'] {
  const { replaying, endpointHandlers } = simulator
  return replaying
    ? [createReplayHandler(() => simulator.replaying ?? replaying, true), ...endpointHandlers]
    : endpointHandlers
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
        known.some((one) => one.match(path)?.sandbox === undefined && one.match(path) !== null) ||
        current().hasPath(path)
      return isOurs ? { params: { target }, suffix: undefined, sandbox: undefined } : null
    },
  }
}

/** Writes a request that a recording has answered into the journal of its simulator. */
function writeJournalEntry(
  call: ApiRequest,
  target: string,
  answer: ApiResponse,
  { sandbox, began }: { readonly sandbox: Sandbox; readonly began: number },
): void {
  const { journal, noted } = sandbox
  if (journal.isOff) return
  const { untracked: settings } = noted
  const operation = createRoutes(pathItems, toBaseUrl('*')).find(({ path, endpoint, pathItem }) => {
    const found = path.match(target)
    return found && matchRoute({ path, endpoint, pathItem }, call.method, found, settings)
  })?.endpoint.id
  const draft = createPendingRecord(journal.nextId(), operation ?? null, call, sandbox)
  journal.add(draft.complete(call, answer, performance.now() - began))
}
