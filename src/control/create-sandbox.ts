import * as z from 'zod'
import { bodyErrors } from '../http/body.ts'
import { type Endpoint, endpoint } from '../http/endpoint.ts'
import type { SandboxRequest } from '../sandboxes/request.ts'
import { bodyOf } from './body.ts'
import { clockSetting } from './clock-setting.ts'
import { sandboxInfo, withUrlAt } from './sandbox-info.ts'
import { filled, type World } from './world.ts'

const request = z.strictObject({
  from: z.string().exactOptional(),
  seed: z.int().exactOptional(),
  profile: z.string().exactOptional(),
  policies: z.record(z.string(), z.union([z.string(), z.number()])).exactOptional(),
  clock: clockSetting.exactOptional(),
  ttl_s: z.number().exactOptional(),
  keys: z.record(z.string(), z.string()).exactOptional(),
}) as unknown as z.ZodType<SandboxRequest>

/** Beside the server's own world, also where the address is that of a sandbox. */
export const createSandbox: Endpoint<World> = endpoint({
  id: 'createSandbox',
  summary: 'Begin an isolated world, with keys and an address of its own.',

  method: 'POST',
  path: '/__admin/sandboxes',
  scope: 'operator',

  params: {},
  body: bodyOf(request),
  status: 201,
  response: sandboxInfo,
  errors: [...bodyErrors, 'throttled'],

  async handle({ body, url }, { root, fixture, generator }) {
    const { from } = body
    if (from !== undefined && !root.sandboxes.knows(from)) {
      const world = await fixture(from)
      if (world) root.sandboxes.offer(from, await filled(world, generator))
    }
    return withUrlAt(root.sandboxes.create(body), url)
  },
})
