import * as z from 'zod'
import type { Health } from '../../remote/client.ts'
import { toJsonText, withHead } from '../../utils/json.ts'
import { packageName, version } from '../../utils/version.ts'
import { type ControlContext, operation } from './operation.ts'

const name = z.literal(packageName)
const status = z.enum(['ready', 'stopping', 'saves_failing'])

/** In a file of its own, because every start of a server waits for it, and it needs no other operation. */
export const healthOperations = {
  readHealth: operation('GET', '/__admin/health', {
    summary: 'Read the version and the state of the server.',
    scope: 'anyone',
    response: z.object({
      name,
      status,
      version: z.string(),
      world: z.string().exactOptional(),
      persistence: z.enum(['saved', 'unsaved', 'failing']).exactOptional(),
    }),
    handle: (_input, _simulator, context): Health => {
      const { root } = context
      return {
        name: packageName,
        status: readStatus(context),
        version,
        ...root.sandbox.source,
        ...(root.persistence && { persistence: root.persistence.status }),
      }
    },
  }),
  readLiveness: operation('GET', '/__admin/health/live', {
    summary: 'Check that the server responds.',
    scope: 'anyone',
    response: z.object({ name, status: z.literal('live') }),
    handle: () => ({ name: packageName, status: 'live' as const }),
  }),
  readReadiness: operation('GET', '/__admin/health/ready', {
    summary: 'Check that the server takes requests: 503 while it stops, and while saves fail.',
    scope: 'anyone',
    otherStatus: 503,
    response: z.object({ name, status }),
    handle(_input, _simulator, context) {
      const text = toJsonText({ name: packageName, status: readStatus(context) } as const)
      return readStatus(context) === 'ready' ? text : withHead(text, { status: 503 })
    },
  }),
}

/** A restart would lose what cannot be saved, so a server whose saves fail is not ready. */
function readStatus({ root, closed }: ControlContext): Health['status'] {
  if (closed.aborted) return 'stopping'
  return root.persistence?.status === 'failing' ? 'saves_failing' : 'ready'
}
