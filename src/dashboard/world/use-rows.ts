import { useEffect, useState } from 'preact/hooks'
import type { FoundRows } from '../../world/find-rows.ts'
import type { AccessibleRows } from '../../world/row-defaults.ts'
import type { AnnotationQuery } from '../../world/row-query.ts'
import { useDashboard } from '../kit/place.ts'
import { useStore } from '../kit/store.ts'
import { type LoadState, useLoad } from '../kit/use-load.ts'

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
