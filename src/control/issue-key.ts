import type * as z from 'zod'
import { bodyErrors } from '../http/body.ts'
import { type Endpoint, endpoint } from '../http/endpoint.ts'
import type { KeyRequest } from '../keys.ts'
import type { KeyRow } from '../world/rows.ts'
import { key } from '../world/schema/people.ts'
import { bodyOf } from './body.ts'
import { keyRow } from './key-row.ts'
import type { World } from './world.ts'

const request = (key as unknown as z.ZodObject).partial() as unknown as z.ZodType<KeyRequest>

export const issueKey: Endpoint<World> = endpoint({
  id: 'issueKey',
  summary: 'Issue an API key; what is left out is made, and without scopes it may do everything.',

  method: 'POST',
  path: '/__admin/keys',
  scope: 'operator',

  params: {},
  body: bodyOf(request),
  status: 201,
  response: keyRow,
  errors: bodyErrors,

  handle({ body }, { simulator: { keys } }) {
    const issued = keys.issue(body)
    return keys.list().find(({ value }) => value === issued) as KeyRow
  },
})
