import { ActionsHead, RowButton } from '../kit/row-actions.tsx'
import { Scroll } from '../kit/scroll.tsx'

interface AnyTableProps {
  readonly list: string
  readonly rows: readonly object[]
  readonly onEdit: (row: object) => void
}

/** Rows of any list: a column for each field. */
export function AnyTable({ list, rows, onEdit }: AnyTableProps) {
  const fields = Object.keys(rows[0] ?? {})
  return (
    <Scroll label={`The list ${list}`}>
      <table class="rows">
        <thead>
          <tr>
            <ActionsHead />
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
                  <RowButton of={id} onClick={() => onEdit(row)}>
                    Edit
                  </RowButton>
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
    </Scroll>
  )
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
}
