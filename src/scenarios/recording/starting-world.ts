import type { WorldJson } from '../../world/world-json.ts'
import type { Scenario } from '../format/scenario.ts'

/** Replaces the values of keys, which are secret. Steps name keys by their labels. */
export function withoutKeyValues(world: WorldJson): WorldJson {
  const keys = (world.keys ?? []).map(({ value, label = value, ...key }, index) => {
    const replacement = `key-${index + 1}-of-a-world`
    return { value: replacement, label: label === value ? replacement : label, ...key }
  })
  return { ...world, keys }
}

/**
 * The start of a recording if the world is a fixture: its name, and the seed if that differs. Null for another world.
 * The values of keys do not count.
 *
 * @param fixture the whole fixture, as a simulator exports it
 */
export function nameWorld(
  world: WorldJson,
  name: string,
  fixture: WorldJson,
): Pick<Scenario, 'world' | 'seed'> | null {
  if (comparableText(world) !== comparableText(fixture)) return null
  const { seed } = world
  return { world: name, ...(seed !== undefined && seed !== fixture.seed && { seed }) }
}

function comparableText({ seed: _, issued_keys: __, ...world }: WorldJson): string {
  return JSON.stringify(withoutKeyValues(world))
}
