import * as z from 'zod'
import type { Failure } from '../errors.ts'
import type { SandboxInfo } from '../sandboxes/info.ts'
import { resourceNotFound } from './absent.ts'

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
export function withRequestOrigin(info: SandboxInfo, request: string): SandboxInfo {
  return { ...info, url: new URL(request).origin + new URL(info.url).pathname }
}

export function sandboxNotFound(id: string): Failure {
  return resourceNotFound('id', `Sandbox ${id}`, 'it was never created, or has ended')
}
