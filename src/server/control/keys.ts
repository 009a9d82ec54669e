import * as z from 'zod'
import { pathParameter } from '../../http/parameters.ts'
import { typed } from '../../utils/schema-issues.ts'
import type { KeyRequest } from '../../world/keys.ts'
import type { KeyRow } from '../../world/rows.ts'
import { rowSchemas } from '../../world/schema/world-schema.ts'
import { found, jsonBody, operation } from './operation.ts'

const keyRowSchema = z.object({
  value: z.string(),
  label: z.string(),
  user: z.int(),
  scopes: z.array(z.string()).nullable(),
  projects: z.array(z.int()),
  organizations: z.array(z.string()),
})

export const keyOperations = {
  listKeys: operation('GET', '/__admin/keys', {
    summary: 'List the API keys with their values and scopes.',
    response: z.array(keyRowSchema),
    handle: (_, { keys }) => keys.list(),
  }),

  issueKey: operation('POST', '/__admin/keys', {
    summary: 'Issue an API key. Missing fields get defaults: full access, and a random value.',
    body: jsonBody(typed<KeyRequest>(rowSchemas().keys.partial())),
    status: 201,
    response: keyRowSchema,
    handle({ body }, { keys }) {
      const value = keys.issue(body)
      return keys.list().find((key) => key.value === value) as KeyRow
    },
  }),

  revokeKey: operation('DELETE', '/__admin/keys/:value', {
    summary: 'Revoke an API key.',
    params: { value: pathParameter('The value of a key, with dots encoded as %2E.') },
    errors: ['not_found'],
    handle({ params: { value } }, { keys }) {
      found(keys.revoke(value), { value }, 'Key', 'it was never issued, or was revoked')
    },
  }),
}
