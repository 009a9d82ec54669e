import * as z from 'zod'
import { bodyFailures } from '../http/body.ts'
import { defineEndpoint, type Endpoint } from '../http/endpoint.ts'
import { worldBody } from './body.ts'
import { type ControlContext, withGeneratedRows } from './world.ts'

/** Whole or not at all: a world with a fault leaves the one that is there. */
export const replaceWorld: Endpoint<ControlContext> = defineEndpoint({
  id: 'replaceWorld',
  summary: 'Replace the whole world; resetting comes back to the new one.',

  method: 'PUT',
  path: '/__admin/world',
  scope: 'operator',

  params: {},
  body: worldBody,
  bodyLimit: 536_870_912,
  status: 200,
  response: z.record(z.string(), z.int()),
  errors: bodyFailures,

  async handle({ body }, { simulator, loadGenerator }) {
    simulator.replaceWorld(await withGeneratedRows(body, loadGenerator))
    return simulator.world.counts
  },
})
