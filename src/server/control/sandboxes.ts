import * as z from 'zod'
import { type Parameter, pathParameter } from '../../http/parameters.ts'
import { asOfDates } from '../../policies/as-of.ts'
import type { RemoteSandboxInfo } from '../../remote/connect.ts'
import { unknownSandboxReason } from '../../sandbox/router.ts'
import { offerFixture } from '../../sandbox/sandboxes/offer-fixture.ts'
import type { SandboxInfo } from '../../sandbox/sandboxes/sandboxes.ts'
import type { Simulator } from '../../simulator.ts'
import { rejectUnknownFields, unexpectedValue } from '../../utils/usage-error.ts'
import { curlExample } from '../curl-example.ts'
import { clockSettingSchema } from './clock.ts'
import {
  found,
  jsonBody,
  operation,
  parseQuery,
  replicasParameter,
  withMissing,
} from './operation.ts'
import { overridesSchema, profileSchema } from './policies.ts'

export const sandboxInfoSchema = z.object({
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
  as_of: z.enum(asOfDates()).exactOptional(),
  policies: overridesSchema.exactOptional(),
  clock: clockSettingSchema.exactOptional(),
  ttl_s: z.number().exactOptional(),
  keys: z.record(z.string(), z.string()).exactOptional(),
})

const idParameter = pathParameter('The id of a sandbox.')

export const sandboxOperations = {
  listSandboxes: operation('GET', '/__admin/sandboxes', {
    summary:
      'List the active sandboxes, the oldest first. Of several replicas, those of all. The header Understudy-Total-Count says how many there are.',
    query: {
      offset: countParameter('offset', 0, 'The number of sandboxes to skip.'),
      limit: countParameter('limit', 1_000, 'The largest number of sandboxes.'),
      replicas: replicasParameter(['all', 'own'], 'own lists those of this replica only.'),
    },
    response: z.array(sandboxInfoSchema),
    errors: ['validation_error'],
    async handle({ url, query: { offset, limit, replicas: which } }, _, { root, replicas }) {
      rejectUnknownFields(parseQuery(url), ['offset', 'limit', 'replicas'], 'list the sandboxes')
      const all = root.sandboxes.list()
      const end = offset + limit
      const own = all.slice(offset, end).map((info) => toServedInfo(info, url, root))
      if (!replicas?.options.url || which === 'own') return withMissing(own, [], all.length)
      // Those of other replicas follow the own ones.
      const others = await replicas.listSandboxes(new URL(url).origin, end)
      const from = Math.max(0, offset - all.length)
      const rows = [...own, ...others.rows.slice(from, from + limit - own.length)]
      return withMissing(rows, others.missing, all.length + others.total)
    },
  }),

  createSandbox: operation('POST', '/__admin/sandboxes', {
    summary: 'Create an isolated world with its own keys and URL.',
    body: jsonBody(sandboxRequestSchema),
    status: 201,
    response: sandboxInfoSchema,
    errors: ['throttled'],
    async handle(input, _, { root, replicas }) {
      const { body, url } = input
      const { keys = {} } = body
      const paths = Object.entries(keys).map(([name, value]) => [`keys.${name}`, value])
      replicas?.keys.check(Object.fromEntries(paths), input)
      await offerFixture(root.sandboxes, body.from)
      const info = root.sandboxes.create(body)
      replicas?.keys.accept(Object.values(keys), root.sandboxes.get(info.id) as Simulator)
      return toServedInfo(info, url, root)
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

/** A whole number, such as how many rows a page has. */
function countParameter(name: string, fallback: number, text: string): Parameter<number> {
  return {
    description: `${text} The default is ${fallback.toLocaleString('en')}.`,
    schema: { type: 'integer', minimum: 0, default: fallback },
    read(sent) {
      if (sent === null) return fallback
      if (/^\d{1,9}$/.test(sent)) return Number(sent)
      const expected = `${name} to be a whole number`
      throw unexpectedValue('read the page', expected, sent, undefined, name)
    },
  }
}

/** Adds a curl command, and uses the origin of the request, since a server can have several names. */
function toServedInfo(info: SandboxInfo, requestUrl: string, root: Simulator): RemoteSandboxInfo {
  const url = new URL(requestUrl).origin + new URL(info.url).pathname
  return { ...info, url, curl: curlExample(root.sandboxes.get(info.id) as Simulator, url) }
}

function foundSandbox<T>(sandbox: T | undefined | false, id: string, root: Simulator): T {
  const ids = () => root.sandboxes.list().map((info) => info.id)
  const reason = root.sandbox.missing?.reasonOf(id) ?? unknownSandboxReason
  return found(sandbox, { id }, `Sandbox ${id}`, reason, ids)
}
