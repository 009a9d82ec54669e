import * as z from 'zod'
import { bodyFailures } from '../../http/body.ts'
import { defineEndpoint, type Endpoint } from '../../http/endpoint.ts'
import type { Failure } from '../../http/failures.ts'
import { pathParameter } from '../../http/parameters.ts'
import type { SnapshotInfo } from '../../sandbox/snapshots.ts'
import { worldSchema } from '../../world/schema/world-schema.ts'
import {
  type ControlContext,
  jsonBody,
  resourceNotFound,
  withGeneratedRows,
  worldBody,
} from './control-endpoint.ts'

/** A snapshot, as the control API tells of it. */
export const snapshotInfoSchema: z.ZodType<SnapshotInfo> = z.object({
  name: z.string(),
  saved_at: z.string(),
  rows: z.record(z.string(), z.int()),
})

function snapshotNotFound(name: string): Failure {
  return resourceNotFound('name', `Snapshot ${name}`, 'it was never saved, or was deleted')
}

export const listSnapshots: Endpoint<ControlContext> = defineEndpoint({
  id: 'listSnapshots',
  summary: 'List the snapshots, the oldest first.',

  method: 'GET',
  path: '/__admin/snapshots',
  scope: 'operator',

  params: {},
  status: 200,
  response: z.array(snapshotInfoSchema),
  errors: [],

  handle(_input, { simulator }) {
    return simulator.snapshots.list()
  },
})

export const createSnapshot: Endpoint<ControlContext> = defineEndpoint({
  id: 'createSnapshot',
  summary: 'Save the rows as they are by a name; a snapshot of that name makes way.',

  method: 'POST',
  path: '/__admin/snapshots',
  scope: 'operator',

  params: {},
  body: jsonBody(z.strictObject({ name: z.string() })),
  status: 201,
  response: snapshotInfoSchema,
  errors: [...bodyFailures, 'throttled'],

  handle({ body }, { simulator }) {
    return simulator.snapshots.save(body.name)
  },
})

export const retrieveSnapshot: Endpoint<ControlContext> = defineEndpoint({
  id: 'retrieveSnapshot',
  summary: 'Read a snapshot as a file: a world in the format of fixtures.',

  method: 'GET',
  path: '/__admin/snapshots/:name',
  scope: 'operator',

  params: { name: pathParameter('The name of a snapshot.') },
  status: 200,
  response: worldSchema,
  errors: ['not_found'],

  handle({ params }, { simulator }) {
    const file = simulator.snapshots.get(params.name)
    if (!file) throw snapshotNotFound(params.name)
    return file
  },
})

export const importSnapshot: Endpoint<ControlContext> = defineEndpoint({
  id: 'importSnapshot',
  summary: 'Keep the world of a snapshot file by a name; a snapshot of that name makes way.',

  method: 'PUT',
  path: '/__admin/snapshots/:name',
  scope: 'operator',

  params: { name: pathParameter('The name of a snapshot.') },
  body: worldBody,
  bodyLimit: 536_870_912,
  status: 200,
  response: snapshotInfoSchema,
  errors: [...bodyFailures, 'throttled'],

  async handle({ params, body }, { simulator, loadGenerator }) {
    return simulator.snapshots.import(params.name, await withGeneratedRows(body, loadGenerator))
  },
})

export const deleteSnapshot: Endpoint<ControlContext> = defineEndpoint({
  id: 'deleteSnapshot',
  summary: 'Forget a snapshot.',

  method: 'DELETE',
  path: '/__admin/snapshots/:name',
  scope: 'operator',

  params: { name: pathParameter('The name of a snapshot.') },
  status: 204,
  response: z.undefined(),
  errors: ['not_found'],

  handle({ params }, { simulator }): undefined {
    if (!simulator.snapshots.delete(params.name)) throw snapshotNotFound(params.name)
  },
})

export const restoreSnapshot: Endpoint<ControlContext> = defineEndpoint({
  id: 'restoreSnapshot',
  summary: 'Go back to the rows of a snapshot.',

  method: 'POST',
  path: '/__admin/snapshots/:name/restore',
  scope: 'operator',

  params: { name: pathParameter('The name of a snapshot.') },
  status: 204,
  response: z.undefined(),
  errors: ['not_found'],

  handle({ params }, { simulator }): undefined {
    if (!simulator.snapshots.has(params.name)) throw snapshotNotFound(params.name)
    simulator.snapshots.restore(params.name)
  },
})
