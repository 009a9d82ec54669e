import { findPath } from '../../api/find-route.ts'
import type { ApiHandler } from '../../http/route.ts'
import { isApiPath } from '../../http/url.ts'
import { escapeRegExp } from '../../utils/escape.ts'
import type { Playback } from './playback.ts'

/**
 * Handles requests before the handlers of the simulator, except requests to sandboxes. With `handlesAll` it handles every
 * path below `/api`, as a server does; otherwise only paths of the API and of the recording.
 */
export function createPlaybackHandler(playback: Playback, handlesAll: boolean): ApiHandler {
  const { base, simulator } = playback
  const origin = base.origin === '*' ? 'https?://[^/?#]*' : escapeRegExp(base.origin)
  const baseUrl = new RegExp(`^(?:${origin})?${escapeRegExp(base.prefix)}(?=/)`)
  const handles = (path: string): boolean =>
    (handlesAll ? isApiPath(path) : isOperationPath(path)) || playback.hasPath(path)
  const handler: ApiHandler = {
    base,
    path: '/api/*',
    methods: ['*'],
    find(url) {
      const [prefix] = baseUrl.exec(url) ?? []
      if (prefix === undefined) return null
      const target = url.slice(prefix.length).replace(/#.*$/s, '')
      const [path = '/'] = target.split('?')
      return handles(path) ? { item: handler, params: { target }, sandboxId: undefined } : null
    },
    open({ params: { target = '/' } }, head) {
      const state = simulator.sandboxes.resolve(undefined, head)
      if (state !== simulator.state) return null
      return {
        bodyLimit: state.settings['limits.body'],
        handle: (request) => playback.respond(request, target),
      }
    },
  }
  return handler
}

function isOperationPath(path: string): boolean {
  const route = findPath(path)
  return route !== null && route.sandboxId === undefined
}
