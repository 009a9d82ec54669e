import { ArrowDown, ArrowUp } from 'lucide'
import type { ComponentChildren } from 'preact'
import { useLayoutEffect, useMemo, useRef } from 'preact/hooks'
import { Icon } from './inline.tsx'

/** Its CSS class and its header, then the content of a cell, and the field that the rows can be sorted by. */
export type Column<Row> = readonly [
  className: string,
  header: string,
  cell: (row: Row) => ComponentChildren,
  sort?: string,
]

type Key = string | number

/** Rows with a checkbox each, and one for all of them. */
interface Selection<Row> {
  readonly selected: ReadonlySet<Key>
  /** Called with a function, since a row that is not drawn again does not know the latest selection. */
  readonly update: (change: (selected: ReadonlySet<Key>) => ReadonlySet<Key>) => void
  readonly label: (row: Row) => string
  readonly labelOfAll: string
}

export interface TableProps<Row> {
  readonly class?: string
  readonly hasRowHeaders?: boolean
  /** If they are the same object as before, only rows that have changed are drawn again. */
  readonly columns: readonly Column<Row>[]
  readonly rows: readonly Row[]
  readonly rowKey: (row: Row) => Key
  readonly rowClass?: (row: Row) => string
  /** The buttons of a row, in a last column whose header is visible to screen readers only. */
  readonly actions?: (row: Row) => ComponentChildren
  readonly selection?: Selection<Row>
  /** A field, or a field after a minus sign for the reverse order: `-date_marker` */
  readonly sort?: string | undefined
  readonly onSort?: ((sort: string) => void) | undefined
}

export function Table<Row>(props: TableProps<Row>) {
  const { class: name = 'rows', columns, rows, rowKey, actions, selection } = props
  const keys = rows.map(rowKey)
  const areAllSelected = keys.every((key) => selection?.selected.has(key))
  return (
    <table ref={useRowKeys()} class={name}>
      <thead>
        <tr>
          {selection && (
            <th class="tick">
              <input
                type="checkbox"
                aria-label={selection.labelOfAll}
                checked={areAllSelected}
                onChange={() => selection.update(() => new Set(areAllSelected ? [] : keys))}
              />
            </th>
          )}
          {columns.map((column) => (
            <HeaderCell key={column[1]} table={props} column={column} />
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
          <BodyRow key={rowKey(row)} table={props} row={row} />
        ))}
      </tbody>
    </table>
  )
}

/** A header. A click sorts by its field, and a second one reverses the order. */
function HeaderCell<Row>(props: { table: TableProps<Row>; column: Column<Row> }) {
  const { sort, onSort } = props.table
  const [className, header, , field] = props.column
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

function BodyRow<Row>({ table, row }: { table: TableProps<Row>; row: Row }) {
  const { columns, rowKey, rowClass, hasRowHeaders, actions, selection } = table
  const className = rowClass?.(row)
  const isSelected = selection?.selected.has(rowKey(row))
  return useMemo(() => {
    const toggle = () =>
      selection?.update((selected) => {
        const next = new Set(selected)
        if (!next.delete(rowKey(row))) next.add(rowKey(row))
        return next
      })
    return (
      <tr class={className} onClick={openByClick} onDblClick={editByDoubleClick}>
        {selection && (
          <td class="tick">
            <input
              type="checkbox"
              aria-label={selection.label(row)}
              checked={isSelected}
              onChange={toggle}
            />
          </td>
        )}
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
    )
  }, [row, columns, className, isSelected, actions])
}

const controls = 'a, button, input, label, select, summary, dialog'

/** A click on a row follows its link, unless it ends the selection of a text. */
function openByClick({ target, currentTarget }: MouseEvent): void {
  if ((target as Element).closest(controls) || !(getSelection()?.isCollapsed ?? true)) return
  ;(currentTarget as Element).querySelector<HTMLElement>('a.opens')?.click()
}

/** A click would be in the way of selecting a text, so that rows with a button open by a double click. */
function editByDoubleClick({ target, currentTarget }: MouseEvent): void {
  if ((target as Element).closest(controls)) return
  const button = (currentTarget as Element).querySelector<HTMLElement>('button.opens')
  if (!button) return
  getSelection()?.removeAllRanges()
  button.click()
}

/**
 * Moves the focus between the rows of a table by the arrow keys. The link or the button with the class `opens` opens a
 * row, by Enter. The arrow down focuses the first row if nothing else has the focus.
 */
function useRowKeys() {
  const table = useRef<HTMLTableElement>(null)
  useLayoutEffect(() => {
    const element = table.current as HTMLTableElement
    const move = (event: KeyboardEvent) => {
      if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return
      const { activeElement } = document
      const rows = [...element.querySelectorAll<HTMLElement>('tbody .opens')]
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
