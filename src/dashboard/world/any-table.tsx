import { ActionsHeader, RowButton } from '../kit/row-actions.tsx'
import { ScrollArea } from '../kit/scroll.tsx'

interface RowTableProps {
  readonly list: string
  readonly rows: readonly object[]
  readonly onEdit: (row: object) => void
}

/** Rows of any list: a column for each field. */
export function RowTable({ list, rows, onEdit }: RowTableProps) {
  const fields = Object.keys(rows[0] ?? {})
  return (
    <ScrollArea label={`The list ${list}`}>
      <table class="rows">
        <thead>
          <tr>
            <ActionsHeader />
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
                  <RowButton rowLabel={id} onClick={() => onEdit(row)}>
                    Edit
                  </RowButton>
                </td>
                {fields.map((field) => (
                  <td key={field} class="cell">
                    {formatCell(Reflect.get(row, field))}
                  </td>
                ))}
              </tr>
            )
          })}
        </tbody>
      </table>
    </ScrollArea>
  )
}

function formatCell(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
}
