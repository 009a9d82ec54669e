import * as z from 'zod'
import { Failure } from '../errors.ts'
import type { SnapshotInfo } from '../snapshots/snapshots.ts'

/** A snapshot, as the control API tells of it. */
export const snapshotInfo: z.ZodType<SnapshotInfo> = z.object({
  name: z.string(),
  saved_at: z.string(),
  rows: z.record(z.string(), z.int()),
})

export function noSnapshot(name: string): Failure {
  return new Failure('not_found', `Snapshot ${name} not found: it was never saved, or was deleted.`)
}
