import type { ReloadedRows } from '../../sandbox/reload-world.ts'

/** What a reload of a changed file did. */
export interface ReloadSummary {
  /** The number of rows by list; for a recording, also the number of requests */
  readonly added: Readonly<Record<string, number>>
  readonly changed: Readonly<Record<string, number>>
  readonly removed: Readonly<Record<string, number>>
  /** Rows that were written since the last load, and that the reload overwrote */
  readonly discarded: ReloadedRows['discarded']
  /** Changes that need a restart, each in a sentence; only for recordings */
  readonly ignored?: readonly string[]
}

/** Is notified of each reload. */
export interface ReloadListener {
  reloaded(file: string, summary: ReloadSummary): void
  /** The file is not valid. Nothing was changed. */
  reloadFailed(file: string, message: string): void
}

/** Describes a reload. @example 'annotations: 1 added, 2 changed; keys: 1 removed; discarded writes: annotations 1, 7' */
export function formatReloadSummary(summary: ReloadSummary): string {
  const { added, changed, removed, discarded } = summary
  const kinds = Object.entries({ added, changed, removed })
  const lists = [...new Set(kinds.flatMap(([, rows]) => Object.keys(rows)))]
  const parts = lists.map((list) => {
    const counts = kinds.flatMap(([kind, rows]) => (rows[list] ? `${rows[list]} ${kind}` : []))
    return `${list}: ${counts.join(', ')}`
  })
  if (parts.length === 0) parts.push('no changes')
  if (discarded.length > 0) parts.push(`discarded writes: ${formatDiscarded(discarded)}`)
  return parts.join('; ')
}

const maxDiscarded = 10

function formatDiscarded(discarded: ReloadedRows['discarded']): string {
  const shown = discarded.slice(0, maxDiscarded)
  const lists = [...new Set(shown.map(({ list }) => list))].map((list) => {
    const ids = shown.filter((row) => row.list === list).map(({ id }) => id)
    return `${list} ${ids.join(', ')}`
  })
  const rest = discarded.length - shown.length
  return [...lists, ...(rest > 0 ? [`and ${rest} more`] : [])].join(', ')
}
