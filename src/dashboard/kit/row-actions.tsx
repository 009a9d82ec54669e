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
