import * as z from 'zod'
import type { Remote } from '../admin/connect.ts'
import type { SandboxInfo } from '../simulator/sandboxes/sandboxes.ts'
import { suggestWord, UsageError } from '../utils/errors.ts'
import { recordOf } from '../utils/options.ts'

/** What a call of a tool works on. */
export interface ToolContext {
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

const anyObject = recordOf(z.unknown())

/** What the server checks, with messages of its own. Agents pay for each line of a schema. */
export const object = (example: string) => anyObject.describe(`Such as ${example}`).optional()

/** A text that is neither JSON nor a query such as `a=b`. */
export const name = z.string().regex(/^\s*[^\s[{=][^=]*$/, 'expected a name')

/** A JSON value, or the name of one. */
export const named = z.union([name, anyObject])

export const isReading = { readOnlyHint: true } as const
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

/** The largest result, in characters. Agents read all of it, and clients refuse results of 100,000. */
export const maxResult = 60_000

export async function findSandbox({ sandboxes }: Remote, wanted: string): Promise<SandboxInfo> {
  const all = await sandboxes.list()
  const sandbox = all.find(({ id, name }) => id === wanted || name === wanted)
  const names = all.map(({ id, name }) => name ?? id)
  return existing(sandbox, `Sandbox ${wanted}`, names, wanted)
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
