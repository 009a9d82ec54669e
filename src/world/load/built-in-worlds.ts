import defaultWorld from '../../../fixtures/default.json' with { type: 'json' }
import emptyWorld from '../../../fixtures/empty.json' with { type: 'json' }
import { UsageError, unknownWord } from '../../utils/errors.ts'
import type { WorldJson } from '../world-json.ts'
import { type BuiltInWorld, buildWorld, type FixtureName, type LoadedWorld } from './build-world.ts'

const builtInWorlds: ReadonlyMap<string, unknown> = new Map<string, unknown>([
  ['default', defaultWorld],
  ['empty', emptyWorld],
])

/** The names of the fixtures in the package. All but the built-in worlds are read from files. */
export const fixtureNames: readonly string[] = [...builtInWorlds.keys(), 'odd', 'crowded']

/** The names of the built-in worlds. */
export const builtInWorldNames: readonly string[] = [...builtInWorlds.keys()]

/** Whether a built-in world has this name. */
export function isBuiltInWorld(name: string): name is BuiltInWorld {
  return builtInWorlds.has(name)
}

/** Opens a built-in world. It needs no schema, because a test checks it. @throws UsageError for an unknown name */
export function openBuiltInWorld(name: FixtureName): LoadedWorld {
  const world = builtInWorlds.get(name)
  if (world) return buildWorld(world as WorldJson)
  const expected = `${builtInWorldNames.join(', ')} or a world as JSON`
  const error = unknownWord('find the world', builtInWorldNames, name, null, expected)
  const isFile = String(name).endsWith('.json')
  if (!isFile && !['odd', 'crowded'].includes(name)) throw error
  // A bundler resolves the import for a page. Node cannot import JSON without an attribute.
  const cure = isFile
    ? 'Read the file first: world:'
    : `Import ${name} from 'understudy-api/fixtures/${name}.json' and pass it, or in Node pass`
  throw new UsageError(
    `${error.message} ${cure} await readWorld('${name}'), with readWorld from 'understudy-api/node'.`,
  )
}
