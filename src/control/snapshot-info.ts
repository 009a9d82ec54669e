import * as z from 'zod'
import type { Failure } from '../errors.ts'
import type { SnapshotInfo } from '../snapshots/snapshots.ts'
import { resourceNotFound } from './absent.ts'

/** A snapshot, as the control API tells of it. */
export const snapshotInfoSchema: z.ZodType<SnapshotInfo> = z.object({
  name: z.string(),
  saved_at: z.string(),
  rows: z.record(z.string(), z.int()),
})

export function snapshotNotFound(name: string): Failure {
  return resourceNotFound('name', `Snapshot ${name}`, 'it was never saved, or was deleted')
}
