import type { ListName } from './watch.ts'
import type { CountedList } from './world-json.ts'

/** The lists of a world in the order of a file: each stands behind those that its rows name. */
export const worldLists: readonly ListName[] = [
  'organizations',
  'projects',
  'users',
  'keys',
  'dashboard_items',
  'repository',
  'plugins',
  'plugin_configs',
  'annotations',
  'activity',
]

const listsWithoutCountedIds: readonly ListName[] = ['organizations', 'keys', 'repository']

/** Those whose ids are counted. */
export const countedListNames: readonly CountedList[] = worldLists.filter(
  (list): list is CountedList => !listsWithoutCountedIds.includes(list),
)
