import * as z from 'zod'
import { type Endpoint, endpoint } from '../http/endpoint.ts'
import { pathText } from '../http/parameters.ts'
import type { Scenario } from '../scenarios/scenario.ts'
import { noScenario } from './replay-request.ts'
import type { World } from './world.ts'

const scenario = z.looseObject({
  title: z.string(),
  steps: z.array(z.record(z.string(), z.unknown())),
}) as unknown as z.ZodType<Scenario>

export const retrieveScenario: Endpoint<World> = endpoint({
  id: 'retrieveScenario',
  summary: 'Show a scenario whole, as it stands in its file.',

  method: 'GET',
  path: '/__admin/scenarios/:name',
  scope: 'operator',

  params: { name: pathText('The name of a scenario.') },
  status: 200,
  response: scenario,
  errors: ['not_found', 'validation_error'],

  async handle({ params: { name } }, { scenarios }) {
    const found = await scenarios.read(name)
    if (!found) throw noScenario(name)
    return found
  },
})
