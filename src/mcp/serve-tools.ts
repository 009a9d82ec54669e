import process from 'node:process'
import type { Writable } from 'node:stream'
import * as z from 'zod'
import type { Remote } from '../admin/connect.ts'
import { UsageError } from '../utils/errors.ts'
import { isObject, tryParseJson } from '../utils/json.ts'
import { parseOptions } from '../utils/schema-issues.ts'
import { packageName, version } from '../utils/version.ts'
import { readTools } from './read-tools.ts'
import { existing, findSandbox, maxResult, type Tool } from './tool.ts'
import { writeTools } from './write-tools.ts'

/** In the order in which an agent reads them: it starts with the overview. */
export const tools: readonly Tool[] = [...readTools, ...writeTools]

export function instructionsFor(url: string): string {
  return `Understudy simulates the Plugin and Annotation Management API at ${url}.
Set this URL as the base URL of the program under test: otherwise the journal stays empty. Let it send a key of overview as Authorization: Bearer KEY.
What its operations take is in its OpenAPI document, ${url}/openapi.json.
If a response surprises, pass the id of its entry to explain. A setting whose evidence is "assumed" is a guess: the client should work with each of its values.`
}

/** What a client lists of a tool. */
export function describeTool(tool: Tool) {
  const { name, description, hints } = tool
  return { name, description, inputSchema: inputSchemaOf(tool), annotations: hints }
}

/**
 * Speaks the Model Context Protocol on the stdin of this process.
 *
 * @param onError gets what the protocol cannot tell the client
 * @returns `ended`, which is fulfilled when no message can be read any more, and `close`
 */
export async function serveTools(
  remote: Remote,
  stdout: Writable,
  onError: (message: string) => void,
): Promise<{ readonly ended: Promise<void>; close(): Promise<void> }> {
  const { Server } = await import('@modelcontextprotocol/server')
  const { StdioServerTransport, serveStdio } = await import('@modelcontextprotocol/server/stdio')
  let calls = 0
  const createServer = () => {
    const instructions = instructionsFor(remote.url)
    const server = new Server(
      { name: packageName, version },
      { capabilities: { tools: {} }, instructions },
    )
    server.setRequestHandler('tools/list', () => ({ tools: tools.map(describeTool) }))
    server.setRequestHandler('tools/call', async ({ params: { name, arguments: args } }) => {
      calls += 1
      const call = `${process.pid}-${calls}`
      const answer = (text: string) => [{ type: 'text' as const, text }]
      const names = tools.map((tool) => tool.name)
      try {
        const tool = existing(tools[names.indexOf(name)], `Tool ${name}`, names, name)
        return { content: answer(await runTool(tool, remote, args, call)) }
      } catch (error) {
        return { content: answer((error as Error).message), isError: true }
      }
    })
    return server
  }
  const { stdin } = process
  const transport = new StdioServerTransport(stdin, stdout)
  const onerror = (error: Error) => onError(error.message)
  const handle = serveStdio(createServer, { transport, onerror })
  // It ends with stdin, with stdout, and at a message that is too long: it would read no other one.
  const { onclose } = transport
  const ended = new Promise<void>((resolve) => {
    transport.onclose = () => {
      onclose?.()
      resolve()
    }
  })
  return {
    ended,
    async close() {
      await handle.close()
      stdin.destroy()
    },
  }
}

/**
 * The JSON Schema of the arguments of a tool, in the subset that every client of a model takes: one type for each value, and
 * no formats, bounds or unions.
 */
function inputSchemaOf({ input }: Tool) {
  const { $schema: _, ...schema } = z.toJSONSchema(input, {
    io: 'input',
    unrepresentable: 'any',
    override({ jsonSchema: part }) {
      const { description = part.anyOf?.[0]?.description } = part
      Object.assign(part, part.anyOf?.[0], description !== undefined && { description })
      for (const name of Object.keys(part))
        if (!keywords.includes(name)) Reflect.deleteProperty(part, name)
    },
  })
  return { ...(schema as object), type: 'object' as const }
}

const keywords = ['type', 'description', 'enum', 'items', 'properties', 'required']

/**
 * Runs a tool.
 *
 * @param call names the call among those of all agents
 * @returns JSON
 * @throws UsageError for a wrong argument, for what does not exist, and for a result that is too long: no part of it would do
 */
export async function runTool(tool: Tool, server: Remote, sent: unknown, call: string) {
  const { sandbox, ...args } = readArguments(tool, sent)
  const id = sandbox === undefined ? undefined : (await findSandbox(server, sandbox)).id
  const remote = id === undefined ? server : existing(await server.sandboxes.get(id), 'Sandbox')
  const text = JSON.stringify((await tool.run({ remote, call }, args as never)) ?? null)
  if (text.length <= maxResult) return text
  const prefix = tool.hints.readOnlyHint ? '' : 'The call was carried out. '
  throw new UsageError(
    `${prefix}Its result has ${text.length} characters, and the limit is ${maxResult}. Ask for less, such as by a limit. A scenario can be recorded to a file.`,
  )
}

/** With those of a filter or a fault, which can be beside the others. */
const maxArguments = 1_000

/** Clients send null for what a model leaves out, and models know many ways to write a name or a value. */
function readArguments({ name, input, guesses: { names = {}, rest } }: Tool, sent: unknown) {
  const words = Object.entries(isObject(sent) ? sent : {})
  if (words.length > maxArguments)
    throw new UsageError(
      `Failed to call ${name}: expected at most ${maxArguments} arguments, got ${words.length}.`,
    )
  const fields = new Map(Object.entries(input.shape as Record<string, z.ZodType>))
  const args: Record<string, unknown> = {}
  const others: Record<string, unknown> = {}
  for (const [word, value] of words) {
    const snake = word.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
    const argument = [word, snake, names[snake] ?? ''].find((name) => fields.has(name)) ?? word
    const field = fields.get(argument)
    if (value === null && !field?.safeParse(null).success) continue
    if (field === undefined && rest !== undefined) others[word] = value
    else args[argument] = field ? readValue(field, value) : value
  }
  const value = args[rest ?? '']
  const isOpen = value === undefined || isObject(value)
  if (Object.keys(others).length > 0)
    Object.assign(args, isOpen ? { [rest ?? '']: { ...value, ...others } } : others)
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
