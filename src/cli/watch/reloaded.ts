/** What was taken over from a file that has changed. */
export interface ReloadSummary {
  /** How many rows came, changed and went, list by list; of a recording, requests */
  readonly added: Readonly<Record<string, number>>
  readonly changed: Readonly<Record<string, number>>
  readonly removed: Readonly<Record<string, number>>
  /** What was not taken over, each in a sentence */
  readonly kept: readonly string[]
}

/** What was taken over, in words. @example 'annotations: 1 added, 2 changed; keys: 1 removed' */
export function formatReloadSummary({ added, changed, removed }: ReloadSummary): string {
  const kinds = Object.entries({ added, changed, removed })
  const lists = [...new Set(kinds.flatMap(([, rows]) => Object.keys(rows)))]
  const parts = lists.map((list) => {
    const counts = kinds.flatMap(([kind, rows]) => (rows[list] ? `${rows[list]} ${kind}` : []))
    return `${list}: ${counts.join(', ')}`
  })
  return parts.length === 0 ? 'nothing to take over' : parts.join('; ')
}
