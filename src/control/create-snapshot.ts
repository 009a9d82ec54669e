import * as z from 'zod'
import { bodyErrors } from '../http/body.ts'
import { type Endpoint, endpoint } from '../http/endpoint.ts'
import { bodyOf } from './body.ts'
import { snapshotInfo } from './snapshot-info.ts'
import type { World } from './world.ts'

export const createSnapshot: Endpoint<World> = endpoint({
  id: 'createSnapshot',
  summary: 'Save the rows as they are by a name; a snapshot of that name makes way.',

  method: 'POST',
  path: '/__admin/snapshots',
  scope: 'operator',

  params: {},
  body: bodyOf(z.strictObject({ name: z.string() })),
  status: 201,
  response: snapshotInfo,
  errors: [...bodyErrors, 'throttled'],

  handle({ body }, { simulator }) {
    return simulator.snapshots.save(body.name)
  },
})
