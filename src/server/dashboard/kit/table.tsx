import type { ComponentChildren } from 'preact'

interface SearchFieldProps {
  /** What screen readers call it; "Search" where missing */
  readonly label?: string
  readonly placeholder: string
  readonly value: string
  readonly onChange: (value: string) => void
}

/** Where words are typed that a list shall have. */
export function SearchField({ label = 'Search', placeholder, value, onChange }: SearchFieldProps) {
  return (
    <label class="grow">
      <span class="unseen">{label}</span>
      <input
        type="search"
        placeholder={placeholder}
        value={value}
        onInput={({ currentTarget }) => onChange(currentTarget.value)}
      />
    </label>
  )
}

interface RowButtonProps {
  /** What stands on it. */
  readonly children: string
  /** Of what, for who hears it apart from its row: `annotation 3` */
  readonly rowLabel: string | number
  readonly disabled?: boolean
  readonly onClick: () => void
}

/** The head of a column of buttons, for who hears the table. */
export function ActionsHeader() {
  return (
    <th>
      <span class="unseen">Actions</span>
    </th>
  )
}

/** Something that is done with one row. */
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
  /** What screen readers call it. */
  readonly label: string
  readonly class?: string
  readonly children: ComponentChildren
}

/** What may be larger than its place, and is scrolled there. */
export function ScrollArea({ label, class: name = 'scroll', children }: ScrollAreaProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached with the keyboard
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
