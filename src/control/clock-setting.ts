import * as z from 'zod'
import type { ClockReading } from '../world/clock.ts'
import type { ClockMode, ClockSetting } from '../world/clock-setting.ts'

export const clockModeSchema: z.ZodType<ClockMode> = z.enum(['real', 'frozen', 'ticking'])

/** `real`, a time to stand still at, or a mode with its time. */
export const clockSettingSchema: z.ZodType<Exclude<ClockSetting, Date>> = z.union(
  [z.string(), z.strictObject({ mode: clockModeSchema, time: z.string().exactOptional() })],
  { error: 'expected real, an ISO 8601 time, or { mode: real, frozen or ticking, time }' },
)

/** What the control API tells of a clock. */
export const clockReadingSchema: z.ZodType<ClockReading> = z.object({
  mode: clockModeSchema,
  now: z.string(),
})
