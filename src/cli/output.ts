import { formatCount } from '../utils/count.ts'

/** The names of rows that differ from their lists. */
const rowNames: Readonly<Record<string, string>> = {
  dashboard_items: 'dashboard item',
  plugin_configs: 'plugin configuration',
  activity: 'activity entry',
}

/** Formats the numbers of rows of a world. @example formatRowCounts({ projects: 2, activity: 1 }) // '2 projects, 1 activity entry' */
export function formatRowCounts(rows: Readonly<Record<string, number>>): string {
  const texts = Object.entries(rows).map(([list, count]) =>
    formatCount(count, rowNames[list] ?? list.replace(/s$/, '')),
  )
  return texts.length === 0 ? 'no rows' : texts.join(', ')
}
