import * as z from 'zod'
import { pathParameter } from '../../http/parameters.ts'
import type { PolicyInfo, PolicyOverrides } from '../../policies/settings.ts'
import { unexpectedValue } from '../../utils/usage-error.ts'
import type { ClockMode, ClockReading, ClockSetting, Duration } from '../../world/clock/clock.ts'
import type { KeyRequest } from '../../world/keys.ts'
import type { KeyRow } from '../../world/rows.ts'
import { objectSchema } from '../../world/schema/world-schema.ts'
import { type ControlOperations, found, operation } from './control-endpoint.ts'
import { jsonBody, uncheckedBody } from './request-body.ts'

const clockModeSchema: z.ZodType<ClockMode> = z.enum(['real', 'frozen', 'ticking'])

export const clockSettingSchema: z.ZodType<Exclude<ClockSetting, Date>> = z.union(
  [z.string(), z.strictObject({ mode: clockModeSchema, time: z.string().exactOptional() })],
  { error: 'expected real, an ISO 8601 time, or { mode: real, frozen or ticking, time }' },
)

const clockReadingSchema: z.ZodType<ClockReading> = z.object({
  mode: clockModeSchema,
  now: z.string(),
})

const clockChangeSchema = z.strictObject({
  mode: clockModeSchema.exactOptional(),
  time: z.string().exactOptional(),
})

const amount = z.number().exactOptional()
const durationSchema = z.strictObject({
  milliseconds: amount,
  seconds: amount,
  minutes: amount,
  hours: amount,
  days: amount,
})

export const clockOperations: ControlOperations = {
  readClock: operation('GET', '/__admin/clock', {
    summary: 'Read the time and the mode of the clock.',
    response: clockReadingSchema,
    handle: (_, { clock }) => clock.read(),
  }),

  setClock: operation('PUT', '/__admin/clock', {
    summary:
      'Set the mode (real, frozen or ticking), the time, or both. A time alone freezes the clock.',
    body: jsonBody(clockChangeSchema),
    response: clockReadingSchema,
    handle({ body }, { clock }) {
      if (body.mode === undefined && body.time === undefined) {
        throw unexpectedValue('set the clock', 'a mode, a time, or both', body, undefined, 'mode')
      }
      clock.set({ mode: 'frozen', ...body })
      return clock.read()
    },
  }),

  advanceClock: operation('POST', '/__admin/clock/advance', {
    summary: 'Advance the clock by the sum of the given units. The mode stays.',
    body: uncheckedBody<Duration>(durationSchema),
    response: clockReadingSchema,
    handle({ body }, { clock }) {
      clock.advance(body)
      return clock.read()
    },
  }),
}

const keyRowSchema: z.ZodType<KeyRow> = z.object({
  value: z.string(),
  label: z.string(),
  user: z.int(),
  scopes: z.array(z.string()).nullable(),
  projects: z.array(z.int()),
  organizations: z.array(z.string()),
})

const keyRequestSchema: z.ZodType<KeyRequest> = objectSchema('keys').partial()

export const keyOperations: ControlOperations = {
  listKeys: operation('GET', '/__admin/keys', {
    summary: 'List the API keys with their values and scopes.',
    response: z.array(keyRowSchema),
    handle: (_, { keys }) => keys.list(),
  }),

  issueKey: operation('POST', '/__admin/keys', {
    summary: 'Issue an API key. Missing fields get defaults: full access, and a random value.',
    body: jsonBody(keyRequestSchema),
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
      found(keys.revoke(value), 'value', 'Key', 'it was never issued, or was revoked')
    },
  }),
}

const settingSchema = z.union([z.string(), z.int()])

const policyInfoSchema = z.object({
  id: z.string(),
  documentation: z.string(),
  question: z.string(),
  setting: settingSchema,
  documented: settingSchema,
  live: settingSchema,
  values: z.array(
    z.object({
      value: z.string(),
      meaning: z.string(),
      evidence: z.enum(['documented', 'observed', 'assumed']),
      source: z.string(),
      minimum: z.int().exactOptional(),
      maximum: z.int().exactOptional(),
    }),
  ),
}) as unknown as z.ZodType<PolicyInfo>

export const overridesSchema: z.ZodType<PolicyOverrides> = z.record(
  z.string(),
  z.union([z.string(), z.number()], { error: 'expected a string or a number' }),
)

export const policyOperations: ControlOperations = {
  listPolicies: operation('GET', '/__admin/policies', {
    summary: 'List the policies: question, setting, and the possible values with their evidence.',
    response: z.array(policyInfoSchema),
    handle: (_, { policies }) => policies.list(),
  }),

  setPolicies: operation('PATCH', '/__admin/policies', {
    summary: 'Set policies by id, all or none. Returns the settings of all policies.',
    body: jsonBody(overridesSchema),
    response: z.record(z.string(), settingSchema),
    handle({ body }, { policies }) {
      policies.set(body)
      return { ...policies.settings }
    },
  }),
}
