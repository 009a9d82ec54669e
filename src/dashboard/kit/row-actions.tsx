interface RowButtonProps {
  /** What stands on it. */
  readonly children: string
  /** Of what, for who hears it apart from its row: `annotation 3` */
  readonly of: string | number
  readonly disabled?: boolean
  readonly onClick: () => void
}

/** The head of a column of buttons, for who hears the table. */
export function ActionsHead() {
  return (
    <th>
      <span class="unseen">Actions</span>
    </th>
  )
}

/** Something that is done with one row. */
export function RowButton({ children, of, disabled = false, onClick }: RowButtonProps) {
  return (
    <button
      type="button"
      class="quiet"
      disabled={disabled}
      aria-label={`${children} ${of}`}
      onClick={onClick}
    >
      {children}
    </button>
  )
}
