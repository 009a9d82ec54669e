import { ArrowDown, ArrowUp } from 'lucide'
import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { Icon } from './icon.tsx'

/** Its CSS class and its header, then the content of a cell, and the field that the rows can be sorted by. */
export type Column<Row> = readonly [
  className: string,
  header: string,
  cell: (row: Row) => ComponentChildren,
  sort?: string,
]

export interface Sorting {
  /** A field, or a field after a minus sign for the reverse order: `-date_marker` */
  readonly sort?: string | undefined
  readonly onSort?: ((sort: string) => void) | undefined
}

export interface TableProps<Row> extends Sorting {
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
  const { sort, onSort } = props
  const table = useRowKeys()
  return (
    <table ref={table} class={name}>
      <thead>
        <tr>
          {columns.map(([className, header, , field]) => (
            <HeaderCell key={header} {...{ className, header, field, sort, onSort }} />
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

interface HeaderCellProps extends Sorting {
  readonly className: string
  readonly header: string
  readonly field?: string | undefined
}

/** A header. A click sorts by its field, and a second one reverses the order. */
export function HeaderCell({ className, header, field, sort, onSort }: HeaderCellProps) {
  if (field === undefined || !onSort) return <th class={className}>{header}</th>
  const direction = sort === field ? 'ascending' : sort === `-${field}` ? 'descending' : undefined
  return (
    <th class={className} {...(direction && { 'aria-sort': direction })}>
      <button
        type="button"
        class="sort"
        onClick={() => onSort(direction === 'ascending' ? `-${field}` : field)}
      >
        {header}
        {direction && <Icon icon={direction === 'ascending' ? ArrowUp : ArrowDown} />}
      </button>
    </th>
  )
}

/**
 * Moves the focus between the rows of a table by the arrow keys. The link or the button with the class `opens` opens a
 * row, by Enter and by a click anywhere on the row. The arrow down focuses the first row if nothing else has the focus.
 */
export function useRowKeys() {
  const table = useRef<HTMLTableElement>(null)
  useEffect(() => {
    const move = (event: KeyboardEvent) => {
      if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return
      const { activeElement } = document
      const rows = [...(table.current?.querySelectorAll<HTMLElement>('tbody .opens') ?? [])]
      const current = rows.findIndex((row) => row.closest('tr')?.contains(activeElement))
      if (current < 0 && !activeElement?.matches('body, h1')) return
      if (activeElement?.matches('dialog *')) return
      event.preventDefault()
      rows[current + (event.key === 'ArrowDown' ? 1 : -1)]?.focus()
    }
    document.addEventListener('keydown', move)
    return () => document.removeEventListener('keydown', move)
  }, [])
  return table
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
