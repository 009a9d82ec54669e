import { Door } from '../adapters/door.ts'
import type { World } from '../beginning.ts'
import { families } from '../endpoints.ts'
import { escapeRegExp } from '../escape-reg-exp.ts'
import { anyJson } from '../fields/shape.ts'
import type { Endpoint } from '../http/endpoint.ts'
import { type Path, toPath } from '../http/path.ts'
import type { Route } from '../http/route.ts'
import type { WorldSandbox } from '../sandbox.ts'
import type { Simulator } from '../simulator.ts'
import { note } from './note.ts'
import type { Replay } from './replay.ts'

/** Answers by a recording to whatever method a path is asked with. */
const anything: Endpoint<World> = {
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
export function replayDoor(current: () => Replay, isWhole: boolean): Door<World, WorldSandbox> {
  const { base, simulator } = current()
  const path = pathWithin(current, isWhole)
  const family = { pattern: { text: '/api/*', names: [], source: '' }, all: [anything] }
  const route: Route<World> = {
    endpoint: anything,
    path,
    family: { ...family, siblings: [anything] },
  }
  const { sandboxes } = simulator
  return new Door<World, WorldSandbox>(route, base, {
    choose(_named, head) {
      const sandbox = sandboxes.choose(undefined, head)
      return sandbox?.number === 0 ? sandbox : undefined
    },
    async answer(_route, { target = '/' }, call, sandbox) {
      const began = performance.now()
      const replay = current()
      const answer = await replay.answer(call, target)
      // What is simulated, too, is in the journal by that.
      if (replay.mode !== 'fallback') note(call, target, answer, { sandbox, began })
      return answer
    },
  })
}

/** The doors of a simulator on a server: that of the replay that it has stands before its own. */
export function doorsOf(simulator: Simulator): Simulator['doors'] {
  const { replaying, doors } = simulator
  return replaying ? [replayDoor(() => simulator.replaying ?? replaying, true), ...doors] : doors
}

/** Finds the path and the query from where the API begins, in addresses that are a recording's to answer. */
function pathWithin(current: () => Replay, isWhole: boolean): Path {
  const { base } = current()
  const known = families.map(({ pattern }) => toPath(pattern, { origin: '*', prefix: '' }))
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
        current().records(path)
      return isOurs ? { params: { target }, suffix: undefined, sandbox: undefined } : null
    },
  }
}
