import * as z from 'zod'
import { bodyFailures } from '../../http/body.ts'
import { defineEndpoint, type Endpoint } from '../../http/endpoint.ts'
import { pathParameter } from '../../http/parameters.ts'
import type { KeyRequest } from '../../world/keys.ts'
import type { KeyRow } from '../../world/rows.ts'
import { keySchema } from '../../world/schema/row-schemas.ts'
import { type ControlContext, jsonBody, resourceNotFound } from './control-endpoint.ts'

/** A key, as the control API tells of it: its operator may know the value. */
const keyRowSchema: z.ZodType<KeyRow> = z.object({
  value: z.string(),
  label: z.string(),
  user: z.int(),
  scopes: z.array(z.string()).nullable(),
  projects: z.array(z.int()),
  organizations: z.array(z.string()),
})

export const listKeys: Endpoint<ControlContext> = defineEndpoint({
  id: 'listKeys',
  summary: 'List the API keys with their values and scopes.',

  method: 'GET',
  path: '/__admin/keys',
  scope: 'operator',

  params: {},
  status: 200,
  response: z.array(keyRowSchema),
  errors: [],

  handle(_input, { simulator }) {
    return simulator.keys.list()
  },
})

const issueKeyRequest = (
  keySchema as unknown as z.ZodObject
).partial() as unknown as z.ZodType<KeyRequest>

export const issueKey: Endpoint<ControlContext> = defineEndpoint({
  id: 'issueKey',
  summary: 'Issue an API key; what is left out is made, and without scopes it may do everything.',

  method: 'POST',
  path: '/__admin/keys',
  scope: 'operator',

  params: {},
  body: jsonBody(issueKeyRequest),
  status: 201,
  response: keyRowSchema,
  errors: bodyFailures,

  handle({ body }, { simulator: { keys } }) {
    const issued = keys.issue(body)
    return keys.list().find(({ value }) => value === issued) as KeyRow
  },
})

export const revokeKey: Endpoint<ControlContext> = defineEndpoint({
  id: 'revokeKey',
  summary: 'End an API key.',

  method: 'DELETE',
  path: '/__admin/keys/:value',
  scope: 'operator',

  params: { value: pathParameter('The value of a key, a dot in it as %2E.') },
  status: 204,
  response: z.undefined(),
  errors: ['not_found'],

  handle({ params }, { simulator }): undefined {
    if (simulator.keys.revoke(params.value)) return
    throw resourceNotFound('value', 'Key', 'it was never issued, or was revoked')
  },
})
