import * as z from 'zod'
import { pathParameter } from '../../http/parameters.ts'
import type { RemoteSandboxInfo } from '../../remote/connect.ts'
import { unknownSandboxReason } from '../../sandbox/router.ts'
import { offerFixture } from '../../sandbox/sandboxes/offer-fixture.ts'
import type { SandboxInfo } from '../../sandbox/sandboxes/sandboxes.ts'
import type { Simulator } from '../../simulator.ts'
import { curlExample } from '../curl-example.ts'
import { clockSettingSchema } from './clock.ts'
import { found, jsonBody, operation } from './operation.ts'
import { overridesSchema, profileSchema } from './settings.ts'

const sandboxInfoSchema = z.object({
  id: z.string(),
  name: z.string().nullable(),
  url: z.string(),
  key: z.string().nullable(),
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
  curl: z.string().nullable(),
})

const sandboxRequestSchema = z.strictObject({
  name: z.string().exactOptional(),
  from: z.string().exactOptional(),
  seed: z.int().exactOptional(),
  profile: profileSchema.exactOptional(),
  settings: overridesSchema.exactOptional(),
  clock: clockSettingSchema.exactOptional(),
  ttl_s: z.number().exactOptional(),
  keys: z.record(z.string(), z.string()).exactOptional(),
})

const idParameter = pathParameter('The id of a sandbox.')

export const sandboxOperations = {
  listSandboxes: operation('GET', '/__admin/sandboxes', {
    summary: 'List the active sandboxes, the oldest first.',
    response: z.array(sandboxInfoSchema),
    handle: ({ url }, _, { root }) =>
      root.sandboxes.list().map((info) => toServedInfo(info, url, root)),
  }),

  createSandbox: operation('POST', '/__admin/sandboxes', {
    summary: 'Create an isolated world with its own keys and URL.',
    body: jsonBody(sandboxRequestSchema),
    status: 201,
    response: sandboxInfoSchema,
    errors: ['throttled'],
    async handle({ body, url }, _, { root }) {
      await offerFixture(root.sandboxes, body.from)
      return toServedInfo(root.sandboxes.create(body), url, root)
    },
  }),

  retrieveSandbox: operation('GET', '/__admin/sandboxes/:id', {
    summary: 'Read the URL, keys, projects and expiry of a sandbox.',
    params: { id: idParameter },
    response: sandboxInfoSchema,
    errors: ['not_found'],
    handle: ({ params: { id }, url }, _, { root }) =>
      toServedInfo(foundSandbox(root.sandboxes.info(id), id, root), url, root),
  }),

  deleteSandbox: operation('DELETE', '/__admin/sandboxes/:id', {
    summary: 'Delete a sandbox and free its memory.',
    params: { id: idParameter },
    errors: ['not_found'],
    handle({ params: { id } }, _, { root }) {
      foundSandbox(root.sandboxes.delete(id), id, root)
    },
  }),
}

/** Adds a curl command, and uses the origin of the request, since a server can have several names. */
function toServedInfo(info: SandboxInfo, requestUrl: string, root: Simulator): RemoteSandboxInfo {
  const url = new URL(requestUrl).origin + new URL(info.url).pathname
  return { ...info, url, curl: curlExample(root.sandboxes.get(info.id) as Simulator, url) }
}

function foundSandbox<T>(sandbox: T | undefined | false, id: string, root: Simulator): T {
  const ids = () => root.sandboxes.list().map((info) => info.id)
  const reason = unknownSandboxReason
  return found(sandbox, { id }, `Sandbox ${id}`, reason, ids)
}
