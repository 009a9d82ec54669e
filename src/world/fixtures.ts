import defaultWorld from '../../fixtures/default.json' with { type: 'json' }
import emptyWorld from '../../fixtures/empty.json' with { type: 'json' }
import { nearest, UsageError } from '../usage-error.ts'
import type { WorldJson } from './world-json.ts'

/** The fixtures that need no file system: they are part of the code. */
export type BuiltInWorld = 'default' | 'empty'

const builtIn = new Map<string, unknown>([
  ['default', defaultWorld],
  ['empty', emptyWorld],
])

/**
 * The world of a name, or the world itself.
 *
 * @throws UsageError for a name that is no built-in fixture; it says how the other fixtures are had
 */
export function worldOf(world: BuiltInWorld | WorldJson): WorldJson {
  if (typeof world === 'object' && world !== null) return world
  const found = builtIn.get(world)
  if (found) return found as WorldJson
  throw new UsageError(
    `Failed to find the world ${JSON.stringify(world)}: expected ${[...builtIn.keys()].join(' or ')}, or a world as JSON. ` +
      `Did you mean ${nearest(String(world), [...builtIn.keys()])}? Other fixtures are files: ` +
      "import world from 'understudy-api/fixtures/odd.json' with { type: 'json' }.",
  )
}
