import * as z from 'zod'
import type { Remote } from '../admin/connect.ts'
import { parseOptions, suggestWord, UsageError } from '../utils/errors.ts'
import { isObject, tryParseJson } from '../utils/json.ts'

/** What a call of a tool works on. */
export interface ToolContext {
  readonly server: Remote
  /** The server, or one of its sandboxes */
  readonly remote: Remote
  /** Names the call, so that the journal entry of its request can be found */
  readonly call: string
}

/** A tool of the Model Context Protocol: one or a few operations of the admin API. */
export interface Tool {
  readonly name: string
  readonly description: string
  readonly input: z.ZodObject
  /** Hints of the protocol, whose default is that a tool destroys something */
  readonly hints: { readonly readOnlyHint?: true; readonly destructiveHint?: boolean }
  readonly guesses: Guesses
  /** @throws UsageError if the server refuses the arguments, or does not respond */
  run(context: ToolContext, args: never): Promise<unknown>
}

/** What models call the arguments of a tool before they have read its schema. */
interface Guesses {
  /** Other names of arguments */
  readonly names?: Readonly<Record<string, string>>
  /** The argument that takes what no argument has the name of, such as a filter */
  readonly rest?: string
}

const sandbox = z.string().describe('Id or name of a sandbox.').optional()

/** What the server checks, with messages of its own. Agents pay for each line of a schema. */
export const object = (example: string) =>
  z.looseObject({}).describe(`Such as ${example}`).optional()

/** A text that is neither JSON nor a query such as `a=b`. */
export const name = z.string().regex(/^\s*[^\s[{=][^=]*$/, 'expected a name')

/** A JSON value, or the name of one. */
export const named = z.union([name, z.looseObject({})])

export const isReading = { readOnlyHint: true } as const
export const isDestructive = { destructiveHint: true } as const
/** It changes something that can be changed back. */
const isChanging = { destructiveHint: false } as const

export function tool<Shape extends z.ZodRawShape>(
  name: string,
  description: string,
  shape: Shape,
  run: (context: ToolContext, args: z.infer<z.ZodObject<Shape>>) => Promise<unknown>,
  { hints = isChanging, ...guesses }: Guesses & Partial<Pick<Tool, 'hints'>> = {},
): Tool {
  const input = z.strictObject(name === 'sandboxes' ? shape : { ...shape, sandbox })
  return { name, description, input, hints, guesses, run }
}

/**
 * The JSON Schema of the arguments of a tool, in the subset that every client of a model takes: one type for each value, and
 * no formats, bounds or unions.
 */
export function inputSchemaOf({ input }: Tool) {
  const schema = z.toJSONSchema(input, { io: 'input', unrepresentable: 'any' })
  return { ...trim(schema), type: 'object' as const }
}

function trim(schema: z.core.JSONSchema.JSONSchema): object {
  const { anyOf, type, description, properties, required, items, enum: words } = schema
  const [first] = (anyOf ?? []) as z.core.JSONSchema.JSONSchema[]
  if (first) return trim({ ...first, ...(description !== undefined && { description }) })
  const parts = Object.entries(properties ?? {}).map(([name, part]) => [
    name,
    trim(part as z.core.JSONSchema.JSONSchema),
  ])
  return {
    ...(type !== undefined && { type: [type].flat()[0] }),
    ...(description !== undefined && { description }),
    ...(words && { enum: words }),
    ...(items && { items: trim(items as z.core.JSONSchema.JSONSchema) }),
    ...(parts.length > 0 && { properties: Object.fromEntries(parts) }),
    ...(required?.length && { required }),
  }
}

/** The largest result, in characters. Agents read all of it, and clients refuse results of 100,000. */
export const maxResult = 60_000

/**
 * Runs a tool.
 *
 * @param call names the call among those of all agents
 * @returns JSON
 * @throws UsageError for a wrong argument, for what does not exist, and for a result that is too long: no part of it would do
 */
export async function runTool(tool: Tool, server: Remote, sent: unknown, call: string) {
  const { sandbox, ...args } = readArguments(tool, sent)
  const remote = sandbox === undefined ? server : await findSandbox(server, sandbox)
  const text = JSON.stringify((await tool.run({ server, remote, call }, args as never)) ?? null)
  if (text.length <= maxResult) return text
  const done = tool.hints.readOnlyHint ? '' : 'The call was carried out. '
  throw new UsageError(
    `${done}Its result has ${text.length} characters, and the limit is ${maxResult}. Ask for less, such as by a limit. A scenario can be recorded to a file.`,
  )
}

/** Clients send null for what a model leaves out, and models know many ways to write a name or a value. */
function readArguments(
  { name, input, guesses: { names = {}, rest } }: Tool,
  sent: unknown,
): { sandbox?: string } {
  const fields = new Map(Object.entries(input.shape as Record<string, z.ZodType>))
  const args: Record<string, unknown> = {}
  const others: Record<string, unknown> = {}
  for (const [word, value] of Object.entries(isObject(sent) ? sent : {})) {
    const snake = toSnakeCase(word)
    const argument = [word, snake, names[snake] ?? ''].find((name) => fields.has(name)) ?? word
    const field = fields.get(argument)
    if (value === null && !field?.safeParse(null).success) continue
    if (field === undefined && rest !== undefined) others[word] = value
    else args[argument] = field ? readValue(field, value) : value
  }
  const given = args[rest ?? '']
  const isOpen = given === undefined || isObject(given)
  if (Object.keys(others).length > 0)
    Object.assign(args, isOpen ? { [rest ?? '']: { ...given, ...others } } : others)
  return parseOptions(input, args, `call ${name}`) as { sandbox?: string }
}

/** Reads a value in the first way that its field takes: JSON text, a list for its item or the other way around, a query. */
function readValue(field: z.ZodType, value: unknown): unknown {
  const json = typeof value === 'string' ? (tryParseJson(value)?.value ?? value) : value
  const item = Array.isArray(value) && value.length === 1 ? value[0] : value
  const text = typeof value === 'number' ? String(value) : value
  const isQuery = typeof value === 'string' && value.includes('=')
  const query = isQuery ? Object.fromEntries(new URLSearchParams(value)) : value
  const readings = [value, json, item, [value], text, query]
  return readings.find((reading) => field.safeParse(reading).success) ?? json
}

/** @example toSnakeCase('dashboardItems') // 'dashboard_items' */
export function toSnakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}

async function findSandbox(server: Remote, name: string): Promise<Remote> {
  const sandboxes = await server.sandboxes.list()
  const id = sandboxes.find((sandbox) => sandbox.id === name || sandbox.name === name)?.id
  const remote = id === undefined ? undefined : await server.sandboxes.get(id)
  return existing(remote, `Sandbox ${name}`, namesOf(sandboxes), name)
}

/** What a sandbox can be called by. */
export function namesOf(sandboxes: readonly { id: string; name: string | null }[]): string[] {
  return sandboxes.flatMap(({ id, name }) => name ?? id)
}

/** @throws UsageError for what does not exist, with the nearest of those that do */
export function existing<Found>(
  found: Found | null | undefined | false,
  what: string,
  names: readonly string[] = [],
  name = '',
): Found {
  if (found) return found
  const near = suggestWord(name, names)
  const all = names.length > 0 && !near ? ` There are ${names.slice(0, 20).join(', ')}.` : near
  throw new UsageError(`${what} not found.${all}`)
}
