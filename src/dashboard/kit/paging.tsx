interface PaginationProps {
  readonly offset: number
  readonly limit: number
  readonly count: number
  readonly onChange: (offset: number) => void
}

/** Which part of a list is shown, and the way to the others. */
export function Pagination({ offset, limit, count, onChange }: PaginationProps) {
  const last = Math.min(offset + limit, count)
  const end = Math.floor(Math.max(count - 1, 0) / limit) * limit
  return (
    <nav class="paging" aria-label="Parts of the list">
      <span aria-live="polite">
        {count === 0
          ? 'No rows'
          : `${(offset + 1).toLocaleString('en')}–${last.toLocaleString('en')} of ${count.toLocaleString('en')}`}
      </span>
      <button type="button" disabled={offset === 0} onClick={() => onChange(0)}>
        First
      </button>
      <button
        type="button"
        disabled={offset === 0}
        onClick={() => onChange(Math.max(0, offset - limit))}
      >
        Previous
      </button>
      <button type="button" disabled={last >= count} onClick={() => onChange(offset + limit)}>
        Next
      </button>
      <button type="button" disabled={last >= count} onClick={() => onChange(end)}>
        Last
      </button>
    </nav>
  )
}
