import * as z from 'zod'
import { bodyFailures } from '../http/body.ts'
import { defineEndpoint, type Endpoint } from '../http/endpoint.ts'
import type { SandboxRequest } from '../sandboxes/request.ts'
import { jsonBody } from './body.ts'
import { clockSettingSchema } from './clock-setting.ts'
import { sandboxInfoSchema, withRequestOrigin } from './sandbox-info.ts'
import { type ControlContext, withGeneratedRows } from './world.ts'

const createSandboxRequest = z.strictObject({
  from: z.string().exactOptional(),
  seed: z.int().exactOptional(),
  profile: z.string().exactOptional(),
  policies: z.record(z.string(), z.union([z.string(), z.number()])).exactOptional(),
  clock: clockSettingSchema.exactOptional(),
  ttl_s: z.number().exactOptional(),
  keys: z.record(z.string(), z.string()).exactOptional(),
}) as unknown as z.ZodType<SandboxRequest>

/** Beside the server's own world, also where the address is that of a sandbox. */
export const createSandbox: Endpoint<ControlContext> = defineEndpoint({
  id: 'createSandbox',
  summary: 'Begin an isolated world, with keys and an address of its own.',

  method: 'POST',
  path: '/__admin/sandboxes',
  scope: 'operator',

  params: {},
  body: jsonBody(createSandboxRequest),
  status: 201,
  response: sandboxInfoSchema,
  errors: [...bodyFailures, 'throttled'],

  async handle({ body, url }, { root, readFixture, loadGenerator }) {
    const { from } = body
    if (from !== undefined && !root.sandboxes.hasSource(from)) {
      const world = await readFixture(from)
      if (world) root.sandboxes.addFixture(from, await withGeneratedRows(world, loadGenerator))
    }
    return withRequestOrigin(root.sandboxes.create(body), url)
  },
})
