import * as z from 'zod'
import type { Health } from '../../remote/client.ts'
import { packageName, version } from '../../utils/version.ts'
import { operation } from './operation.ts'

/** In a file of its own, because every start of a server waits for it, and it needs no other operation. */
export const healthOperations = {
  readHealth: operation('GET', '/__admin/health', {
    summary: 'Read the version and the state of the server.',
    scope: 'anyone',
    response: z.object({
      name: z.literal(packageName),
      status: z.literal('ready'),
      version: z.string(),
      world: z.string().exactOptional(),
    }),
    handle: (_input, _simulator, { root }): Health => ({
      name: packageName,
      status: 'ready',
      version,
      ...root.sandbox.source,
    }),
  }),
}
