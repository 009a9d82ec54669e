import * as z from 'zod'
import { actorInfo } from '../actors/json.ts'
import { type Endpoint, endpoint } from '../http/endpoint.ts'
import type { World } from './world.ts'

export const listActors: Endpoint<World> = endpoint({
  id: 'listActors',
  summary: 'List the second actors, with what they have written and what went wrong.',

  method: 'GET',
  path: '/__admin/actors',
  scope: 'operator',

  params: {},
  status: 200,
  response: z.array(actorInfo),
  errors: [],

  handle(_input, { simulator }) {
    return simulator.actors.list()
  },
})
