import { Plus } from 'lucide'
import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import type { AccessibleRows } from '../../../world/defaults.ts'
import type { AnnotationQuery } from '../../../world/edit/find-rows.ts'
import { useDashboard, useViewParams, useWorldData, withoutEmpty } from '../kit/context.ts'
import { Button, Input } from '../kit/fields.tsx'
import { Form } from '../kit/form.tsx'
import { capitalize, formatCount, formatNumber } from '../kit/format.ts'
import { Dialog, DialogButton, EmptyState, ErrorMessage } from '../kit/panels.tsx'
import { ScrollArea, Table, type TableProps } from '../kit/table.tsx'

export type RowListName = keyof AccessibleRows

const pageSize = 50

type RowPage<List extends RowListName> = ReturnType<typeof useRows<List>>

/**
 * Loads the rows of a list that match a query, and loads them again when a request changes rows. The sorting and the
 * page are in the URL.
 */
export function useRows<List extends RowListName>(
  list: List,
  query: AnnotationQuery,
  defaultSort = 'id',
  nameRow = (id: number | string) => `${list.slice(0, -1)} ${id}`,
) {
  const { world } = useDashboard().remote
  const { params, setParams } = useViewParams({ sort: defaultSort, page: '' })
  const { sort } = params
  const offset = Math.max(0, Math.trunc(Number(params.page) - 1) || 0) * pageSize
  // The row that a dialog edits. A row without an id is created.
  const [edited, setEdited] = useState<Partial<AccessibleRows[List]> | null>(null)
  const all = { ...withoutEmpty({ ...query, sort }), offset, limit: pageSize }
  const loaded = useWorldData(
    async ({ world }) => ({ ...(await world.find(list, all)), offset }),
    [list, JSON.stringify(all)],
  )
  const change = (request: Promise<unknown>, message: string) => request.then(() => message)
  return {
    ...loaded,
    list,
    nameRow,
    setOffset: (target: number) =>
      setParams({ page: target === 0 ? '' : String(target / pageSize + 1) }),
    sorting: { sort, onSort: (sort: string) => setParams({ sort }) },
    edited,
    setEdited,
    /** Updates a row, or creates one without an id. Resolves to the message to show, like the methods below. */
    save(id: number | string | undefined, row: Partial<AccessibleRows[List]>) {
      if (id === undefined) return change(world.add({ [list]: [row] }), 'Row added.')
      return change(world.update(list, id, row), `${capitalize(nameRow(id))} saved.`)
    },
    remove: (id: number) => change(world.delete(list, id), `Row ${id} removed.`),
    generate: (count: number) =>
      change(world.generate({ [list]: count }), `${formatCount(count, 'row')} generated.`),
  }
}

interface RowTableProps<List extends RowListName>
  extends Omit<TableProps<AccessibleRows[List]>, 'rows' | 'rowKey'> {
  readonly page: RowPage<List>
  readonly label: string
  readonly empty: string
  readonly hint?: string
}

export function RowTable<List extends RowListName>(props: RowTableProps<List>) {
  const { page, label, empty, hint, actions, ...table } = props
  const { value, error, reload, setOffset, setEdited, nameRow, sorting } = page
  // A row of a plugin opens its source. All other rows open the dialog that edits them.
  const opensItself = page.list === 'plugins'
  return (
    <>
      <ErrorMessage error={error} reload={reload} />
      {value?.count === 0 && <EmptyState title={empty}>{hint}</EmptyState>}
      {value && value.count > 0 && (
        <>
          <ScrollArea label={label}>
            <Table
              class="rows linked pinned"
              {...sorting}
              {...table}
              rows={value.rows}
              rowKey={({ id }) => id}
              actions={(row) => (
                <>
                  <Button
                    label="Edit"
                    class={opensItself ? 'quiet' : 'quiet opens'}
                    row={nameRow(row.id)}
                    onClick={() => setEdited(row)}
                  />
                  {actions?.(row)}
                </>
              )}
            />
          </ScrollArea>
          <Pagination {...value} onChange={setOffset} />
        </>
      )}
    </>
  )
}

function Pagination(props: { offset: number; count: number; onChange: (offset: number) => void }) {
  const { offset, count, onChange } = props
  const last = Math.min(offset + pageSize, count)
  const end = Math.floor((count - 1) / pageSize) * pageSize
  const [from, to, total] = [offset + 1, last, count].map(formatNumber)
  const button = (label: string, target: number, disabled: boolean) => (
    <Button label={label} disabled={disabled} onClick={() => onChange(target)} />
  )
  return (
    <nav class="pagination" aria-label="Pagination">
      <span aria-live="polite">{`${from}–${to} of ${total}`}</span>
      {button('First', 0, offset === 0)}
      {button('Previous', Math.max(0, offset - pageSize), offset === 0)}
      {button('Next', offset + pageSize, last >= count)}
      {button('Last', end, last >= count)}
    </nav>
  )
}

export interface RowFormProps<List extends RowListName> {
  readonly page: RowPage<List>
  readonly row: Partial<AccessibleRows[List]>
}

export function RowDialog<List extends RowListName>(props: {
  page: RowPage<List>
  save: () => Promise<string>
  children: ComponentChildren
}) {
  const { list, edited, setEdited, nameRow } = props.page
  const close = () => setEdited(null)
  const title = edited?.id === undefined ? `New ${list.slice(0, -1)}` : `Edit ${nameRow(edited.id)}`
  return (
    <Dialog title={title} onClose={close}>
      <Form save={props.save} onSuccess={close}>
        {props.children}
      </Form>
    </Dialog>
  )
}

export function NewRowButtons({ page }: { page: RowPage<'annotations'> | RowPage<'plugins'> }) {
  const { list, setEdited, generate } = page
  const [count, setCount] = useState('100')
  return (
    <div class="actions">
      <Button label="Add" icon={Plus} onClick={() => setEdited({})} />
      <DialogButton label="Generate…" title={`Generate ${list}`}>
        {(close) => (
          <Form
            save={() => generate(Number(count))}
            onSuccess={close}
            submitLabel="Generate"
            busyLabel="Generating…"
          >
            <p>
              Generates realistic {list} around the world's date, for its existing projects and
              users.
            </p>
            <Input
              label="Count (max. 100,000)"
              {...{ type: 'number', min: 1, max: 100_000, required: true }}
              value={count}
              onChange={setCount}
            />
          </Form>
        )}
      </DialogButton>
    </div>
  )
}
