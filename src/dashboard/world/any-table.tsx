interface AnyTableProps {
  readonly list: string
  readonly rows: readonly object[]
  readonly onEdit: (row: object) => void
}

/** Rows of any list: a column for each field. */
export function AnyTable({ list, rows, onEdit }: AnyTableProps) {
  const fields = Object.keys(rows[0] ?? {})
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached with the keyboard
    <section class="scroll" tabIndex={0} aria-label={`The list ${list}`}>
      <table class="rows">
        <thead>
          <tr>
            <th>
              <span class="unseen">Actions</span>
            </th>
            {fields.map((field) => (
              <th key={field}>{field}</th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => {
            const id = String((row as { id: unknown }).id)
            return (
              <tr key={id}>
                <td class="actions">
                  <button
                    type="button"
                    class="quiet"
                    aria-label={`Edit ${id}`}
                    onClick={() => onEdit(row)}
                  >
                    Edit
                  </button>
                </td>
                {fields.map((field) => (
                  <td key={field} class="cell">
                    {textOf(Reflect.get(row, field))}
                  </td>
                ))}
              </tr>
            )
          })}
        </tbody>
      </table>
    </section>
  )
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
}
