import * as z from 'zod'
import { actorInfoSchema } from '../actors/json.ts'
import { defineEndpoint, type Endpoint } from '../http/endpoint.ts'
import type { ControlContext } from './world.ts'

export const listActors: Endpoint<ControlContext> = defineEndpoint({
  id: 'listActors',
  summary: 'List the second actors, with what they have written and what went wrong.',

  method: 'GET',
  path: '/__admin/actors',
  scope: 'operator',

  params: {},
  status: 200,
  response: z.array(actorInfoSchema),
  errors: [],

  handle(_input, { simulator }) {
    return simulator.actors.list()
  },
})
