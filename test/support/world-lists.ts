import type { WorldJson } from '../../src/factories.ts'

const names = [
  ...['organizations', 'projects', 'users', 'keys', 'dashboard_items', 'repository'],
  ...['plugins', 'plugin_configs', 'annotations', 'activity'],
]

/** All lists of a world. A missing list is empty. */
export function listsOf(world: WorldJson): Required<WorldJson> {
  const empty = Object.fromEntries(names.map((name) => [name, []]))
  return { ...empty, ...world } as Required<WorldJson>
}
