import type { ComponentChildren } from 'preact'

/** Its CSS class and its header, then the content of a cell. */
export type Column<Row> = readonly [
  className: string,
  header: string,
  cell: (row: Row) => ComponentChildren,
]

export interface TableProps<Row> {
  readonly class?: string
  readonly hasRowHeaders?: boolean
  readonly columns: readonly Column<Row>[]
  readonly rows: readonly Row[]
  readonly rowKey: (row: Row) => string | number
  readonly rowClass?: (row: Row) => string
  /** The buttons of a row, in a last column whose header is visible to screen readers only. */
  readonly actions?: (row: Row) => ComponentChildren
}

export function Table<Row>(props: TableProps<Row>) {
  const { class: name = 'rows', hasRowHeaders, columns, rows, rowKey, rowClass, actions } = props
  return (
    <table class={name}>
      <thead>
        <tr>
          {columns.map(([className, header]) => (
            <th key={header} class={className}>
              {header}
            </th>
          ))}
          {actions && (
            <th>
              <span class="visually-hidden">Actions</span>
            </th>
          )}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={rowKey(row)} class={rowClass?.(row)}>
            {columns.map(([className, header, cell], index) =>
              hasRowHeaders && index === 0 ? (
                <th key={header} scope="row">
                  {cell(row)}
                </th>
              ) : (
                <td key={header} class={className}>
                  {cell(row)}
                </td>
              ),
            )}
            {actions && <td class="actions">{actions(row)}</td>}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

export function ScrollArea(props: { label: string; class?: string; children: ComponentChildren }) {
  const { label, class: name = 'scroll', children } = props
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable box needs the keyboard focus
    <section class={name} tabIndex={0} aria-label={label}>
      {children}
    </section>
  )
}

/** Longer values are truncated, so that a list of a million rows does not freeze the page. */
const maxCharacters = 40_000

const jsonToken =
  /("(?:[^"\\]|\\.)*")(\s*:)?|\b(true|false|null)\b|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g

export function JsonView({ value, label }: { value: unknown; label: string }) {
  const text = typeof value === 'string' ? value : JSON.stringify(value, null, 2)
  const visible = text.slice(0, maxCharacters)
  const hidden = text.length - visible.length
  return (
    <ScrollArea label={label} class="json">
      <pre>
        {typeof value === 'string' ? visible : highlight(visible)}
        {hidden > 0 && `\n… ${hidden.toLocaleString('en')} more characters not shown`}
      </pre>
    </ScrollArea>
  )
}

function highlight(text: string) {
  const nodes = []
  let end = 0
  for (const match of text.matchAll(jsonToken)) {
    const [token, string, colon] = match
    nodes.push(text.slice(end, match.index))
    const kind = colon !== undefined ? 'name' : string !== undefined ? 'text' : 'value'
    nodes.push(<span class={kind}>{token}</span>)
    end = match.index + token.length
  }
  nodes.push(text.slice(end))
  return nodes
}
