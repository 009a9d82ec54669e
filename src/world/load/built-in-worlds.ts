import defaultWorld from '../../../fixtures/default.json' with { type: 'json' }
import emptyWorld from '../../../fixtures/empty.json' with { type: 'json' }
import { UsageError, unknownWord } from '../../utils/errors.ts'
import type { PartialWorldJson } from '../factories/partial-rows.ts'
import type { WorldJson } from '../world-json.ts'
import {
  type BuiltInWorld,
  buildTrustedWorld,
  type FixtureName,
  type LoadedWorld,
} from './build-world.ts'

const builtInWorlds: ReadonlyMap<string, unknown> = new Map<string, unknown>([
  ['default', defaultWorld],
  ['empty', emptyWorld],
])

type LoadFixture = () => Promise<{ readonly default: unknown }>

/** The fixtures that load on demand. They are modules, since a page has no files. */
const loadedFixtures: ReadonlyMap<string, LoadFixture> = new Map<string, LoadFixture>([
  ['odd', () => import('../../../fixtures/odd.json', { with: { type: 'json' } })],
  ['crowded', () => import('../../../fixtures/crowded.json', { with: { type: 'json' } })],
])

/** The names of the fixtures in the package. */
export const fixtureNames: readonly string[] = [...builtInWorlds.keys(), ...loadedFixtures.keys()]

/** The names of the built-in worlds. */
export const builtInWorldNames: readonly string[] = [...builtInWorlds.keys()]

/** Whether a built-in world has this name. */
export function isBuiltInWorld(name: unknown): name is BuiltInWorld {
  return builtInWorlds.has(name as string)
}

/** Whether a fixture has this name. */
export function isFixture(name: unknown): name is FixtureName {
  return fixtureNames.includes(name as string)
}

/** Reads a fixture as it is in its file, in Node and in a page. @throws UsageError for an unknown name */
export async function readFixture(name: FixtureName): Promise<PartialWorldJson> {
  const json = builtInWorlds.get(name) ?? (await loadedFixtures.get(name)?.())?.default
  if (json) return structuredClone(json) as PartialWorldJson
  const expected = `one of ${fixtureNames.join(', ')}, or a world as JSON`
  throw unknownWord('find the world', fixtureNames, name, null, expected)
}

/** Opens a built-in world. It needs no schema, because a test checks it. @throws UsageError for an unknown name */
export function openBuiltInWorld(name: FixtureName): LoadedWorld {
  const world = builtInWorlds.get(name)
  if (world) return buildTrustedWorld(world as WorldJson)
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
