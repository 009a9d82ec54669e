import * as z from 'zod'
import type { KeyRow } from '../world/rows.ts'

/** A key, as the control API tells of it: its operator may know the value. */
export const keyRowSchema: z.ZodType<KeyRow> = z.object({
  value: z.string(),
  label: z.string(),
  user: z.int(),
  scopes: z.array(z.string()).nullable(),
  projects: z.array(z.int()),
  organizations: z.array(z.string()),
})
