import type { ComponentChildren } from 'preact'

interface SearchFieldProps {
  /** The accessible name; defaults to "Search". */
  readonly label?: string
  readonly placeholder: string
  readonly value: string
  readonly onChange: (value: string) => void
}

export function SearchField({ label = 'Search', placeholder, value, onChange }: SearchFieldProps) {
  return (
    <label class="grow">
      <span class="visually-hidden">{label}</span>
      <input
        type="search"
        placeholder={placeholder}
        value={value}
        onInput={({ currentTarget }) => onChange(currentTarget.value)}
      />
    </label>
  )
}

/** The header of a column of buttons, visible to screen readers only. */
export function ActionsHeader() {
  return (
    <th>
      <span class="visually-hidden">Actions</span>
    </th>
  )
}

interface RowButtonProps {
  readonly children: string
  /** Names the row for screen readers: `annotation 3` */
  readonly rowLabel: string | number
  readonly disabled?: boolean
  readonly onClick: () => void
}

/** A button that acts on one row. */
export function RowButton({ children, rowLabel, disabled = false, onClick }: RowButtonProps) {
  return (
    <button
      type="button"
      class="quiet"
      disabled={disabled}
      aria-label={`${children} ${rowLabel}`}
      onClick={onClick}
    >
      {children}
    </button>
  )
}

interface ScrollAreaProps {
  /** The accessible name. */
  readonly label: string
  readonly class?: string
  readonly children: ComponentChildren
}

/** A box that scrolls if its content is too large. */
export function ScrollArea({ label, class: name = 'scroll', children }: ScrollAreaProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable box needs the keyboard focus
    <section class={name} tabIndex={0} aria-label={label}>
      {children}
    </section>
  )
}

interface PaginationProps {
  readonly offset: number
  readonly limit: number
  readonly count: number
  readonly onChange: (offset: number) => void
}

export function Pagination({ offset, limit, count, onChange }: PaginationProps) {
  const last = Math.min(offset + limit, count)
  const end = Math.floor(Math.max(count - 1, 0) / limit) * limit
  return (
    <nav class="pagination" aria-label="Pagination">
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
