import type { AccessibleRows } from '../../world/row-defaults.ts'
import { useAction, useDashboard } from '../kit/place.ts'
import type { RowListName } from './use-rows.ts'

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
