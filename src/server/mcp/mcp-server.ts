import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import type { ControlClient } from '../../remote/client.ts'
import { packageFile } from '../../utils/files.ts'
import { didYouMean, inspectValue, UsageError } from '../../utils/usage-error.ts'
import { packageName, version } from '../../utils/version.ts'
import type { Server } from './sdk.ts'
import { type Tool, tools } from './tools.ts'

const instructions = (
  url: string,
): string => `Understudy simulates the Plugin and Annotation Management API at ${url}.
readVocabulary lists operations and faults, listKeys the keys, listRows the rows. sendRequest sends a request with a key.
If a response surprises, pass the id of its entry to explainEntry: it names the rule, its evidence, and a request that succeeds.
A setting whose evidence is "assumed" is a guess: the client should work with each of its values.`

/** The largest result, in characters. Agents read all of it. */
const maxResult = 100_000

/** Creates a server of the Model Context Protocol for the simulator that a client reaches. One serves one connection. */
export async function createMcpServer(client: ControlClient): Promise<Server> {
  const { ProtocolError, ProtocolErrorCode, Server } = await import('./sdk.ts')
  const server = new Server(
    { name: packageName, version },
    { capabilities: { tools: {}, resources: {} }, instructions: instructions(client.url) },
  )
  server.setRequestHandler('tools/list', () => ({ tools: tools.map(describeTool) }))
  server.setRequestHandler('tools/call', async ({ params: { name, arguments: args = {} } }) => {
    const tool = tools.find((tool) => tool.name === name)
    if (tool) return runTool(tool, client, args)
    const names = tools.map((tool) => tool.name)
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, unknownName('tool', name, names))
  })
  server.setRequestHandler('resources/list', () => ({ resources: listDocuments() }))
  server.setRequestHandler('resources/read', async ({ params: { uri } }) => {
    const document = await readDocument(uri)
    if (document) return { contents: [document] }
    const uris = listDocuments().map((document) => document.uri)
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, unknownName('resource', uri, uris))
  })
  return server
}

function unknownName(kind: string, name: string, names: readonly string[]): string {
  const meant = didYouMean(name, names)
  const hint = meant ? `Did you mean ${meant}?` : `The ${kind}s are ${names.join(', ')}.`
  return `Unknown ${kind} ${inspectValue(name)}. ${hint}`
}

function describeTool({ name, description, inputSchema, isReadOnly }: Tool) {
  return {
    name,
    description,
    inputSchema: withoutNoise(inputSchema) as { type: 'object' },
    annotations: { readOnlyHint: isReadOnly, openWorldHint: false },
  }
}

/**
 * Removes what any value of its type meets, what the server refuses by itself, and words that were listed before: agents
 * read all schemas before their first request.
 */
function withoutNoise(schema: object): object {
  const listed = new Set<string>()
  const isRepeated = (words: unknown): boolean => {
    const text = JSON.stringify(words)
    const isKnown = listed.has(text)
    listed.add(text)
    return isKnown
  }
  return JSON.parse(
    JSON.stringify(schema, (name, value) => {
      const isNoise =
        (name === 'maximum' && value === Number.MAX_SAFE_INTEGER) ||
        (name === 'propertyNames' && JSON.stringify(value) === '{"type":"string"}') ||
        (name === 'required' && Array.isArray(value) && value.length === 0) ||
        (name === 'additionalProperties' && value === false) ||
        (name === 'enum' && Array.isArray(value) && isRepeated(value))
      return isNoise ? undefined : value
    }),
  )
}

/** An error is a result, too: agents read it and correct their arguments. */
async function runTool(tool: Tool, client: ControlClient, args: Readonly<Record<string, unknown>>) {
  try {
    const result = (await tool.run(client, args)) ?? { done: true }
    const structuredContent = Array.isArray(result) ? { items: result } : (result as object)
    const text = JSON.stringify(structuredContent)
    if (text.length <= maxResult) return { content: [toText(text)], structuredContent }
    const hint = 'limit' in tool.inputSchema.properties ? ', for example with limit' : ''
    throw new UsageError(
      `The result has ${text.length} characters, and at most ${maxResult} are returned. Ask for less${hint}.`,
    )
  } catch (error) {
    if (!(error instanceof UsageError)) throw error
    return { content: [toText(error.message)], isError: true }
  }
}

function toText(text: string) {
  return { type: 'text' as const, text }
}

/** The documents of the package that agents can read. */
const documents: Readonly<Record<string, string>> = {
  'README.md': 'Start here: use it in tests, in a browser and as a server.',
  'TASKS.md': 'Test a retry, page through a moving list, reproduce an incident, and more.',
  'src/server/mcp/llms.txt': 'All documents, commands and tools, with one line each.',
  'src/api/README.md': 'The resources, operations, keys and errors of the simulated API.',
  'src/settings/README.md': 'What the documentation leaves open, each value with its evidence.',
  'src/sandbox/README.md': 'Faults, the journal and snapshots.',
  'src/integrations/README.md': 'Test runners and browsers.',
  'src/cli/README.md': 'The commands and their flags.',
  'src/server/control/README.md': 'The control API.',
  'scenarios/README.md': 'Scenarios: requests with their expected responses.',
}

const scheme = 'understudy://docs/'
const mimeType = 'text/markdown'

/** Lists the documents. A container image has few of them. */
function listDocuments() {
  return Object.entries(documents)
    .filter(([name]) => existsSync(packageFile(name)))
    .map(([name, description]) => ({ uri: scheme + name, name, description, mimeType }))
}

/** Reads a listed document. Returns null for any other address. */
async function readDocument(uri: string) {
  const document = listDocuments().find((document) => document.uri === uri)
  if (!document) return null
  return { uri, mimeType, text: await readFile(packageFile(document.name), 'utf8') }
}
