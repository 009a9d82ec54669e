import * as z from 'zod'
import { resolveSettings } from '../../settings/resolve.ts'
import type { SettingValues } from '../../settings/setting.ts'
import { parseFaultRequest } from '../../simulator/faults/schema.ts'
import { statusSchema } from '../../simulator/journal/filter.ts'
import { parseExpectation } from '../../simulator/journal/verify.ts'
import { forkOptions, resetParts } from '../../simulator/options.ts'
import { requestMethods } from '../../simulator/request-pattern.ts'
import {
  formatPath,
  type Issue,
  inspectValue,
  issuesWithin,
  unknownWord,
} from '../../utils/errors.ts'
import { isObject } from '../../utils/json.ts'
import { listOf, option, recordOf } from '../../utils/options.ts'
import { schemaIssues, withIssues } from '../../utils/schema-issues.ts'
import { durationSchema } from '../../world/clock/clock.ts'
import { findWorldIssues, loadWorld } from '../../world/load/load-world.ts'
import { jsonValueSchema, once, rowEditSchemas } from '../../world/schema/world-schema.ts'
import type { ChangeKind, RequestStep, Scenario } from './scenario.ts'
import { findNames, findValueIssues, toSpecialValue } from './values.ts'

const title = z.string().optional()

const pointer = { error: 'expected a JSON Pointer such as /results/0/id' }
const save = recordOf(
  z
    .string()
    .max(1_000)
    .regex(/^(\/([^~/]|~[01])*)*$/, pointer),
  z.string().regex(/^\w+$/, { error: 'expected a name of ASCII letters, digits and underscores' }),
)

const headers = recordOf(
  z
    .string()
    .regex(/^[\t\x20-\x7e\x80-\xff]*$/, { error: 'expected characters that a header can contain' }),
  z.string().regex(/^[!#$%&'*+.^_`|~\w-]+$/, { error: 'expected a header name' }),
)

const wholeText = z.union([z.string(), z.strictObject({ $saved: z.string() })], {
  error: 'expected a string or { "$saved": … }',
})

const expectedValue = withIssues(z.unknown(), (value) => findValueIssues(value, true))

const expected = z.strictObject({
  status: statusSchema.optional(),
  headers: recordOf(expectedValue).optional(),
  body: expectedValue.optional(),
  exact_body: expectedValue.optional(),
  text: wholeText.optional(),
  broken: z.literal(true).optional(),
})

const requestFields = z.strictObject({
  title,
  as: z.string().optional(),
  method: z.enum(requestMethods),
  path: z.string().regex(/^(\/|\{\w+\})[^\s#]*$/, {
    error:
      'expected a path that starts with a slash, or a saved URL such as {next}, without spaces and #',
  }),
  query: recordOf(z.union([z.string(), z.number(), z.boolean()])).optional(),
  headers: headers.optional(),
  body: withIssues(z.unknown(), (body) =>
    isLeftOut(body) ? [] : findValueIssues(body, false),
  ).optional(),
  text: wholeText.optional(),
  expect: expected.optional(),
  save: save.optional(),
})

/** Whether a recording lacks a body. A run sends none in its place. */
function isLeftOut(body: unknown): boolean {
  const special = toSpecialValue(body)
  return special?.keyword === '$match' && special.value === 'any'
}

export const requestStepSchema: z.ZodType = withIssues(requestFields, (value) => {
  const { method, as, headers, expect, ...step } = Object(value) as Partial<RequestStep>
  const [first, second] = (['body', 'text'] as const).filter((name) => step[name] !== undefined)
  const hasKey = Object.keys(Object(headers)).some((name) => name.toLowerCase() === 'authorization')
  const isRead = method === 'GET' || method === 'HEAD'
  const issues: [isWrong: unknown, path: string, text: string][] = [
    [first && isRead, `${first}`, `a ${method} request has no body`],
    [second, `${second}`, `expected ${first} or ${second}, got both`],
    [
      as !== undefined && hasKey,
      'headers.authorization',
      'expected as or headers.authorization, got both',
    ],
    [
      expect?.broken && expect.status !== undefined,
      'expect.status',
      'expected broken or status, got both',
    ],
  ]
  return issues.flatMap(([isWrong, path, text]) =>
    isWrong ? [{ path: path.split('.'), text }] : [],
  )
})

const { profile, settings, clock } = forkOptions

const fault = option.checkedBy(parseFaultRequest)

/** Built at the first scenario, since those of rows are a third of what an import would build. */
export const changeSchemas = once(
  (): Readonly<Record<ChangeKind, z.ZodType>> => ({
    ...rowEditSchemas(),
    // Which settings apply is only known when the step runs. Then the target checks the words.
    world: option.checkedBy((world) => loadWorld(world, 'unknown')),
    clock,
    advance: durationSchema,
    fault,
    remove: z
      .string()
      .regex(/^fault-\d+$/, { error: 'expected the id of a fault, such as fault-1' }),
    clear: z.literal('faults'),
    revoke: z.string(),
    profile,
    settings,
    reset: z.union([z.literal(true), listOf(z.enum(resetParts))], {
      error: `expected true, or a list of ${resetParts.join(', ')}`,
    }),
  }),
)

/** A value that can contain saved values. They are unknown here, so the target checks what is in their places. */
function withSavedValues(schema: z.ZodType): z.ZodType {
  return withIssues(z.unknown(), (value) => {
    // As text, because the field of an error can be several names: effect.$saved.
    const places = findNames(value, []).map(({ path }) => formatPath(path))
    return [...findValueIssues(value, false), ...schemaIssues(schema, value)].filter(
      ({ path }) => !places.some((place) => isWithin(formatPath(path), place)),
    )
  })
}

/** @example isWithin('effect.status', 'effect') // true */
function isWithin(path: string, outer: string): boolean {
  if (outer === '') return true
  return path.startsWith(outer) && ['', '.', '['].includes(path.charAt(outer.length))
}

const changeSteps = once((): Readonly<Record<string, z.ZodObject>> => {
  const steps = Object.entries(changeSchemas()).map(([kind, schema]) => {
    // The rows of a world are plain JSON.
    const value = kind === 'world' ? schema : withSavedValues(schema)
    const shape = { title, [kind]: value }
    return [kind, z.strictObject(kind === 'rows' ? { ...shape, save: save.optional() } : shape)]
  })
  return Object.fromEntries(steps)
})

function stepIssues(step: unknown): Issue[] {
  if (!isObject(step)) {
    return [{ path: [], text: `expected a request or a change, got ${inspectValue(step)}` }]
  }
  if ('method' in step) return schemaIssues(requestStepSchema, step)
  const kinds = Object.keys(changeSteps()).filter((kind) => kind in step)
  const [kind] = kinds
  if (kinds.length > 1)
    return [{ path: [], text: `expected one change, got ${kinds.join(' and ')}` }]
  const schema = kind && changeSteps()[kind]
  return schema ? schemaIssues(schema, step) : [unknownKind(step)]
}

function unknownKind(step: Record<string, unknown>): Issue {
  const [first] = Object.keys(step).filter((name) => !['title', 'save', 'expect'].includes(name))
  const names = ['method', ...Object.keys(changeSteps())]
  const expected = `a step with one of ${names.join(', ')}`
  return { path: [], text: unknownWord('run', names, first, null, expected).reason }
}

const expectationKinds = ['rows', 'received', 'no_mistake'] as const

const testExpectation = withIssues(
  z.strictObject({
    failure: z.string(),
    rows: z
      .strictObject({
        list: z.enum(['annotations', 'plugins']),
        where: recordOf(jsonValueSchema),
        count: z.int().min(0),
      })
      .optional(),
    received: option.checkedBy(parseExpectation).optional(),
    no_mistake: z.string().optional(),
  }),
  (value) => {
    const kinds = expectationKinds.filter((kind) => kind in Object(value))
    const text = `expected one of ${expectationKinds.join(', ')}, got ${kinds.join(' and ') || 'none'}`
    return kinds.length === 1 ? [] : [{ path: [], text }]
  },
)

const test = z.strictObject({
  faults: listOf(fault),
  faults_after_commit: listOf(fault).optional(),
  expect: listOf(testExpectation),
})

const scenarioFields = z.strictObject({
  $schema: z.string().optional(),
  format_version: z.int().min(1).optional(),
  title: z.string(),
  description: z.string().optional(),
  world: z.unknown().optional(),
  seed: z.int().optional(),
  profile: profile.optional(),
  settings: settings.optional(),
  clock: clock.optional(),
  steps: listOf(withIssues(z.unknown(), stepIssues), 'expected a list').refine(
    (steps) => steps.length > 0,
    { error: 'expected at least one' },
  ),
  test: test.optional(),
})

export const scenarioSchema: z.ZodObject = withIssues(scenarioFields, (value) => {
  const { world, ...head } = Object(value) as Partial<Scenario>
  if (world === undefined || typeof world === 'string') return []
  const text = `expected the name of a fixture, or a world, got ${inspectValue(world)}`
  const issues = isObject(world) ? findWorldIssues(world, settingsOf(head)) : [{ path: [], text }]
  return issuesWithin(['world'], issues)
})

/** Undefined if the settings of the scenario are invalid. */
function settingsOf({ profile, settings }: Partial<Scenario>): SettingValues | undefined {
  try {
    return resolveSettings(profile, settings)
  } catch {
    return undefined
  }
}
