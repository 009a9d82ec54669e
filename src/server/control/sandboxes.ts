import * as z from 'zod'
import { bodyFailures } from '../../http/body.ts'
import { defineEndpoint, type Endpoint } from '../../http/endpoint.ts'
import type { Failure } from '../../http/failures.ts'
import { pathParameter } from '../../http/parameters.ts'
import type { SandboxRequest } from '../../sandbox/sandboxes/sandbox-request.ts'
import type { SandboxInfo } from '../../sandbox/sandboxes/sandboxes.ts'
import { clockSettingSchema } from './clock.ts'
import {
  type ControlContext,
  jsonBody,
  resourceNotFound,
  withGeneratedRows,
} from './control-endpoint.ts'

/** A sandbox, as the control API tells of it. */
export const sandboxInfoSchema: z.ZodType<SandboxInfo> = z.object({
  id: z.string(),
  url: z.string(),
  keys: z.array(
    z.object({
      value: z.string(),
      label: z.string().nullable(),
      scopes: z.array(z.string()).nullable(),
    }),
  ),
  projects: z.array(z.object({ id: z.int(), name: z.string(), organization: z.string() })),
  organizations: z.array(z.object({ id: z.string(), name: z.string() })),
  expires_at: z.string().nullable(),
})

/** The same with a base URL on the host that the request came to: a server may have several names. */
function withRequestOrigin(info: SandboxInfo, request: string): SandboxInfo {
  return { ...info, url: new URL(request).origin + new URL(info.url).pathname }
}

function sandboxNotFound(id: string): Failure {
  return resourceNotFound('id', `Sandbox ${id}`, 'it was never created, or has ended')
}

export const listSandboxes: Endpoint<ControlContext> = defineEndpoint({
  id: 'listSandboxes',
  summary: 'List the sandboxes that have not ended, the oldest first.',

  method: 'GET',
  path: '/__admin/sandboxes',
  scope: 'operator',

  params: {},
  status: 200,
  response: z.array(sandboxInfoSchema),
  errors: [],

  handle({ url }, { root }) {
    return root.sandboxes.list().map((info) => withRequestOrigin(info, url))
  },
})

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

export const retrieveSandbox: Endpoint<ControlContext> = defineEndpoint({
  id: 'retrieveSandbox',
  summary: 'Tell what is needed to talk to a sandbox.',

  method: 'GET',
  path: '/__admin/sandboxes/:id',
  scope: 'operator',

  params: { id: pathParameter('The id of a sandbox.') },
  status: 200,
  response: sandboxInfoSchema,
  errors: ['not_found'],

  handle({ params, url }, { root }) {
    const info = root.sandboxes.info(params.id)
    if (!info) throw sandboxNotFound(params.id)
    return withRequestOrigin(info, url)
  },
})

export const deleteSandbox: Endpoint<ControlContext> = defineEndpoint({
  id: 'deleteSandbox',
  summary: 'End a sandbox and free what it holds.',

  method: 'DELETE',
  path: '/__admin/sandboxes/:id',
  scope: 'operator',

  params: { id: pathParameter('The id of a sandbox.') },
  status: 204,
  response: z.undefined(),
  errors: ['not_found'],

  handle({ params }, { root }): undefined {
    if (!root.sandboxes.delete(params.id)) throw sandboxNotFound(params.id)
  },
})
