import { useEffect, useState } from 'preact/hooks'
import type { AccessibleRows } from '../../../world/defaults.ts'
import type { AnnotationQuery, FoundRows } from '../../../world/edit/find-rows.ts'
import { useAction, useDashboard } from '../kit/context.ts'
import { type LoadState, useLoad, useStore } from '../kit/hooks.ts'

export type RowListName = keyof AccessibleRows

/** A part of a list, and the way to other parts. */
export interface LoadedRows<List extends RowListName>
  extends LoadState<FoundRows<AccessibleRows[List]>> {
  /** Of the part that is there, which may not be the one that was asked for last. */
  readonly offset: number
  readonly setOffset: (offset: number) => void
  /** Counted up whenever rows may be others: with each write that is heard of. */
  readonly version: number
}

export const pageSize = 50

/** The rows of a list as a query wants them: asked for anew when the world is written to. */
export function useRows<List extends RowListName>(
  list: List,
  query: AnnotationQuery,
): LoadedRows<List> {
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
  return { ...loaded, offset: loaded.value?.offset ?? 0, setOffset, version: rowsVersion }
}

/** What can be done with the rows of a list. Each tells whether it went well. */
export interface RowActions<List extends RowListName> {
  update(
    id: number | string,
    changes: Partial<AccessibleRows[List]>,
    done: string,
  ): Promise<boolean>
  create(row: Partial<AccessibleRows[List]>): Promise<boolean>
  remove(id: number | string): Promise<boolean>
  generate(count: number): Promise<boolean>
}

/** @param onDone the rows are others now */
export function useRowActions<List extends RowListName>(
  list: List,
  onDone: () => void,
): RowActions<List> {
  const { remote } = useDashboard()
  const act = useAction()
  const then = async (done: string, work: () => Promise<unknown>) => {
    const isDone = await act(done, work)
    if (isDone) onDone()
    return isDone
  }
  return {
    update: (id, changes, done) => then(done, () => remote.world.update(list, id, changes)),
    create: (row) => then('Added a row.', () => remote.world.add({ [list]: [row] })),
    remove: (id) => then(`Removed row ${id} for good.`, () => remote.world.delete(list, id)),
    generate: (count) =>
      then(`Added ${count} rows.`, () => remote.world.generate({ [list]: count })),
  }
}
