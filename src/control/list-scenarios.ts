import * as z from 'zod'
import { type Endpoint, endpoint } from '../http/endpoint.ts'
import type { ListedScenario } from '../scenarios/library.ts'
import type { World } from './world.ts'

const listed: z.ZodType<ListedScenario> = z.object({
  name: z.string(),
  title: z.string(),
  description: z.string().nullable(),
  steps: z.int(),
  from: z.enum(['package', 'folder']),
  fault: z.string().nullable(),
})

/** One that cannot be replayed is there too, with its fault. */
export const listScenarios: Endpoint<World> = endpoint({
  id: 'listScenarios',
  summary: 'List the scenarios that are at hand: those of the package, and of --scenarios.',

  method: 'GET',
  path: '/__admin/scenarios',
  scope: 'operator',

  params: {},
  status: 200,
  response: z.array(listed),
  errors: ['validation_error'],

  handle: (_input, { scenarios }) => scenarios.list(),
})
