import * as z from 'zod'
import { pathParameter } from '../../http/parameters.ts'
import type { Snapshots } from '../../sandbox/snapshots.ts'
import { found, jsonBody, operation } from './operation.ts'

const snapshotInfoSchema = z.object({
  name: z.string(),
  saved_at: z.string(),
  rows: z.record(z.string(), z.int()),
})

const nameParameter = pathParameter('The name of a snapshot.')

export const snapshotOperations = {
  listSnapshots: operation('GET', '/__admin/snapshots', {
    summary: 'List the snapshots, the oldest first.',
    response: z.array(snapshotInfoSchema),
    handle: (_, { snapshots }) => snapshots.list(),
  }),

  createSnapshot: operation('POST', '/__admin/snapshots', {
    summary: 'Save the current rows as a snapshot. A snapshot of the same name is replaced.',
    body: jsonBody(z.strictObject({ name: z.string() })),
    status: 201,
    response: snapshotInfoSchema,
    errors: ['throttled'],
    handle: ({ body: { name } }, { snapshots }) => snapshots.save(name),
  }),

  deleteSnapshot: operation('DELETE', '/__admin/snapshots/:name', {
    summary: 'Delete a snapshot.',
    params: { name: nameParameter },
    errors: ['not_found'],
    handle({ params: { name } }, { snapshots }) {
      foundSnapshot(snapshots.delete(name), name, snapshots)
    },
  }),

  restoreSnapshot: operation('POST', '/__admin/snapshots/:name/restore', {
    summary: 'Restore the rows of a snapshot.',
    params: { name: nameParameter },
    errors: ['validation_error', 'not_found'],
    handle({ params: { name } }, { snapshots }) {
      foundSnapshot(snapshots.all.get(name), name, snapshots)
      snapshots.restore(name)
    },
  }),
}

function foundSnapshot<T>(snapshot: T | undefined | false, name: string, all: Snapshots): T {
  const names = () => all.list().map((info) => info.name)
  const reason = 'it was never saved, or was deleted'
  return found(snapshot, { name }, `Snapshot ${name}`, reason, names)
}
