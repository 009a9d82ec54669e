import type * as z from 'zod'
import { bodyFailures } from '../http/body.ts'
import { defineEndpoint, type Endpoint } from '../http/endpoint.ts'
import type { KeyRequest } from '../keys.ts'
import type { KeyRow } from '../world/rows.ts'
import { keySchema } from '../world/schema/people.ts'
import { jsonBody } from './body.ts'
import { keyRowSchema } from './key-row.ts'
import type { ControlContext } from './world.ts'

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
