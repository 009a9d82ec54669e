import * as z from 'zod'
import { Failure } from '../errors.ts'
import type { Body } from '../fields/body.ts'
import { bodyErrors } from '../http/body.ts'
import { type Endpoint, endpoint } from '../http/endpoint.ts'
import { UsageError } from '../usage-error.ts'
import type { WorldJson } from '../world/world-json.ts'
import type { World } from './world.ts'

/** Any JSON: loading says what is wrong with it, fault by fault. */
const worldBody: Body<WorldJson> = {
  fields: {},
  required: [],
  read: (value) => value as WorldJson,
}

/** Whole or not at all: a world with a fault leaves the one that is there. */
export const replaceWorld: Endpoint<World> = endpoint({
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
  errors: bodyErrors,

  async handle({ body }, { simulator, generate }) {
    try {
      simulator.replaceWorld(body?.generate ? await generate(body) : body)
    } catch (error) {
      if (error instanceof UsageError) throw refusal(error)
      throw error
    }
    return simulator.world.counts
  },
})

function refusal({ message, faults }: UsageError): Failure {
  const [path] = faults[0]?.split(':') ?? []
  return new Failure('validation_error', message, path === undefined ? {} : { attr: path })
}
