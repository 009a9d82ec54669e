import * as z from 'zod'
import { bodyFailures } from '../http/body.ts'
import { defineEndpoint, type Endpoint } from '../http/endpoint.ts'
import { jsonBody } from './body.ts'
import { snapshotInfoSchema } from './snapshot-info.ts'
import type { ControlContext } from './world.ts'

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
