/** How many rows a world has, as a text. @example rowsText({ projects: 2 }) // '2 projects' */
export function formatRowCounts(rows: Readonly<Record<string, number>>): string {
  const texts = Object.entries(rows).map(([list, count]) => `${count} ${list}`)
  return texts.length === 0 ? 'no rows' : texts.join(', ')
}
