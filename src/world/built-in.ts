import defaultWorld from '../../fixtures/default.json' with { type: 'json' }
import emptyWorld from '../../fixtures/empty.json' with { type: 'json' }
import { didYouMean, unexpectedValue } from '../usage-error.ts'
import type { LoadedWorld } from './load.ts'
import { buildWorld } from './load-checked.ts'
import type { WorldJson } from './world-json.ts'

/** The fixtures that need no file system: they are part of the code. */
export type BuiltInWorld = 'default' | 'empty'

const builtInWorlds: ReadonlyMap<string, unknown> = new Map<string, unknown>([
  ['default', defaultWorld],
  ['empty', emptyWorld],
])

/** The names of the fixtures that need no file system. */
export const builtInWorldNames: readonly string[] = [...builtInWorlds.keys()]

/** Whether a name is that of a fixture that needs no file system. */
export function isBuiltInWorld(name: string): name is BuiltInWorld {
  return builtInWorlds.has(name)
}

/** The world of a name, ready for use. @throws UsageError for a name that no built-in fixture has */
export function openBuiltInWorld(name: BuiltInWorld): LoadedWorld {
  const found = builtInWorlds.get(name)
  // Our own fixtures are checked by a test, so that a simulator begins without reading a schema.
  if (found) return buildWorld(found as WorldJson)
  throw unexpectedValue(
    'find the world',
    `${builtInWorldNames.join(', ')} or a world as JSON (other fixtures are files: ` +
      "await readWorld('odd'), with readWorld from 'understudy-api/node')",
    name,
    didYouMean(String(name), builtInWorldNames),
  )
}
