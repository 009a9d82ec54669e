import type { ComponentChildren } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import type { AccessibleRows } from '../../../world/defaults.ts'
import type { AnnotationQuery, FoundRows } from '../../../world/edit/find-rows.ts'
import { useDashboard } from '../kit/context.ts'
import { DialogButton } from '../kit/dialog.tsx'
import { EmptyState, ErrorMessage } from '../kit/feedback.tsx'
import { Input } from '../kit/fields.tsx'
import { Form } from '../kit/form.tsx'
import { formatCount } from '../kit/format.ts'
import { type LoadState, useLoad, useStore } from '../kit/hooks.ts'
import { Pagination } from '../kit/table.tsx'

export type RowListName = keyof AccessibleRows

const pageSize = 50

/** Loads the rows of a list that match a query, and loads them again when a request changes rows. */
export function useRows<List extends RowListName>(list: List, query: AnnotationQuery) {
  const { remote, journal } = useDashboard()
  const { rowsVersion } = useStore(journal)
  const [offset, setOffset] = useState(0)
  const key = JSON.stringify(query)
  useEffect(() => setOffset(0), [remote, list, key])
  const loaded = useLoad(
    async () => ({
      ...(await remote.world.find(list, { ...query, offset, limit: pageSize })),
      offset,
    }),
    [remote, list, key, offset, rowsVersion],
  )
  // The offset of the loaded rows lags behind setOffset() until the response arrives.
  return { ...loaded, offset: loaded.value?.offset ?? 0, setOffset, version: rowsVersion }
}

interface RowPageProps<Row> {
  readonly rows: LoadState<FoundRows<Row>> & {
    readonly offset: number
    readonly setOffset: (offset: number) => void
  }
  /** The text that takes the place of an empty table. */
  readonly empty: string
  readonly children: (rows: readonly Row[]) => ComponentChildren
}

/** A page of rows with its pagination, or an error, or a text if no row matches. */
export function RowPage<Row>({ rows: loaded, empty, children }: RowPageProps<Row>) {
  const { value, error, reload, offset, setOffset } = loaded
  return (
    <>
      {error && <ErrorMessage error={error} onRetry={reload} />}
      {value?.count === 0 && <EmptyState title={empty} />}
      {value && value.count > 0 && (
        <>
          {children(value.rows)}
          <Pagination {...{ offset }} count={value.count} limit={pageSize} onChange={setOffset} />
        </>
      )}
    </>
  )
}

export type RowActions<List extends RowListName> = ReturnType<typeof useRowActions<List>>

/**
 * Changes the rows of a list. Each method resolves to the message to show, and rejects if the server does.
 *
 * @param noun the singular name of the rows, for messages: `Annotation`
 * @param onChange called after a change, to reload the rows
 */
export function useRowActions<List extends RowListName>(
  list: List,
  noun: string,
  onChange: () => void,
) {
  const { world } = useDashboard().remote
  const change = async (request: Promise<unknown>, message: string) => {
    await request
    onChange()
    return message
  }
  return {
    /** Updates a row, or creates one without an id. */
    save: (id: number | string | undefined, row: Partial<AccessibleRows[List]>) =>
      id === undefined
        ? change(world.add({ [list]: [row] }), 'Row added.')
        : change(world.update(list, id, row), `${noun} ${id} saved.`),
    remove: (id: number) => change(world.delete(list, id), `Row ${id} removed.`),
    generate: (count: number) =>
      change(world.generate({ [list]: count }), `${formatCount(count, 'row')} generated.`),
  }
}

interface GenerateRowsProps {
  /** The plural name of the rows: `annotations` */
  readonly noun: string
  readonly onGenerate: (count: number) => Promise<string>
}

export function GenerateRows({ noun, onGenerate }: GenerateRowsProps) {
  const [count, setCount] = useState('100')
  const save = () => onGenerate(Number(count))
  return (
    <DialogButton label="Generate…" title={`Generate ${noun}`}>
      {(close) => (
        <Form save={save} onSuccess={close} submitLabel="Generate" busyLabel="Generating…">
          <p>
            Generates realistic {noun} around the world's date, for its existing projects and users.
          </p>
          <Input
            label="Count (max. 100,000)"
            type="number"
            min={1}
            max={100_000}
            required
            value={count}
            onChange={setCount}
          />
        </Form>
      )}
    </DialogButton>
  )
}
