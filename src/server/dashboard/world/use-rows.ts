import { useEffect, useState } from 'preact/hooks'
import type { AccessibleRows } from '../../../world/defaults.ts'
import type { AnnotationQuery, FoundRows } from '../../../world/edit/find-rows.ts'
import { useDashboard } from '../kit/context.ts'
import { type LoadState, useLoad, useStore } from '../kit/hooks.ts'

export type RowListName = keyof AccessibleRows

/** One page of a list. */
export interface LoadedRows<List extends RowListName>
  extends LoadState<FoundRows<AccessibleRows[List]>> {
  /** The offset of the loaded rows. It lags behind setOffset() until the response arrives. */
  readonly offset: number
  readonly setOffset: (offset: number) => void
  /** Increases whenever rows may have changed. */
  readonly version: number
}

export const pageSize = 50

/** Loads the rows of a list that match a query, and loads them again when a request changes rows. */
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

/** Changes the rows of a list. Each method throws a RemoteError if the server rejects the change. */
export interface RowActions<List extends RowListName> {
  create(row: Partial<AccessibleRows[List]>): Promise<void>
  update(id: number | string, changes: Partial<AccessibleRows[List]>): Promise<void>
  remove(id: number | string): Promise<void>
  generate(count: number): Promise<void>
}

/** @param onChange called after a change, to reload the rows */
export function useRowActions<List extends RowListName>(
  list: List,
  onChange: () => void,
): RowActions<List> {
  const { world } = useDashboard().remote
  const change = async (request: Promise<unknown>) => {
    await request
    onChange()
  }
  return {
    create: (row) => change(world.add({ [list]: [row] })),
    update: (id, changes) => change(world.update(list, id, changes)),
    remove: (id) => change(world.delete(list, id)),
    generate: (count) => change(world.generate({ [list]: count })),
  }
}
