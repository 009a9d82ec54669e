import process from 'node:process'
import { createInterface } from 'node:readline'
import type { Command } from 'commander'
import { connect, type Remote } from '../admin/connect.ts'
import { inputSchemaOf, runTool } from '../mcp/tool.ts'
import { tools } from '../mcp/tools.ts'
import { UsageError } from '../utils/errors.ts'
import { packageName, version } from '../utils/version.ts'
import { defineCommand } from './command.ts'
import { CommandContext, type Output } from './command-context.ts'
import { anyPort, flagsOf } from './flags.ts'
import { serve } from './serve.ts'

const help = `
Add it to the configuration of an agent:
  {"mcpServers": {"understudy": {"command": "npx", "args": ["understudy-api", "mcp"]}}}

Examples:
  npx understudy-api mcp                                 a server of its own, on any free port
  npx understudy-api mcp --world ./world.json --profile live
  npx understudy-api mcp --target http://127.0.0.1:4010  a server that runs

stdout has the protocol only. The URL of the server and its log are on stderr. The command ends with its stdin.`

export default defineCommand({
  name: 'mcp',
  isServer: true,
  speaksOnStdin: true,
  summary: 'Serve the Model Context Protocol on stdin and stdout, for agents.',
  flags: {
    '--target <url>': 'server to control (default: its own server)',
    ...flagsOf('mcp'),
    // Several agents can start it at the same time.
    '--port <number>': anyPort,
  },
  help,
  async run(_args, { target, ...flags }, { stdout, stderr, signal }, command) {
    const inner = new CommandContext({ stdout: stderr, stderr, signal })
    inner.reserveStdin()
    const open = (url: string): Remote =>
      connect(url, flags.token === undefined ? {} : { token: flags.token })
    const speak = (url: string): Promise<void> => serveTools(open(url), stdout, inner)
    if (target === undefined) return serve({ ...flags, host: '127.0.0.1' }, inner, speak)
    rejectServerFlags(command)
    // A wrong URL and a wrong token are reported now, and not by each tool.
    await open(target).clock.read()
    await speak(target)
  },
})

/** Speaks the protocol until stdin ends, or the user interrupts. */
async function serveTools(remote: Remote, stdout: Output, context: CommandContext): Promise<void> {
  const { deserializeMessage, INVALID_REQUEST, McpServer, PARSE_ERROR } = await import(
    '@modelcontextprotocol/server'
  )
  const { StdioServerTransport, serveStdio } = await import('@modelcontextprotocol/server/stdio')
  let calls = 0
  const createServer = () => {
    const server = new McpServer(
      { name: packageName, version },
      { instructions: instructionsFor(remote.url) },
    )
    for (const tool of tools) {
      const { name, description, hints } = tool
      const annotations = { destructiveHint: false, openWorldHint: false, ...hints }
      const inputSchema = toStandardSchema(inputSchemaOf(tool))
      server.registerTool(name, { description, annotations, inputSchema }, async (args) => {
        calls += 1
        const text = await runTool(tool, remote, args, `${process.pid}-${calls}`)
        return { content: [{ type: 'text', text }] }
      })
    }
    return server
  }
  const { stdin } = process
  const ended = new Promise<void>((resolve) => {
    stdin.once('end', resolve).once('close', resolve)
  })
  const transport = new StdioServerTransport(stdin, stdout as NodeJS.WriteStream)
  // A line that is no message gets its error below.
  const onerror = (error: Error) => {
    if (!('issues' in error)) context.printError(error.message)
  }
  const handle = serveStdio(createServer, { transport, onerror })
  // The transport skips such lines, and pauses stdin when stdout is lost. A paused stream does not say that it ends.
  createInterface({ input: stdin }).on('line', (line) => {
    const error = line.trim() === '' ? null : errorOf(line)
    if (error) stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id: null, error })}\n`)
  })
  const crash = await Promise.race([ended, context.interrupted()])
  await handle.close()
  stdin.destroy()
  if (crash) throw crash

  function errorOf(line: string): { readonly code: number; readonly message: string } | null {
    try {
      deserializeMessage(line)
      return null
    } catch (error) {
      const { name, message } = error as Error
      return name === 'SyntaxError'
        ? { code: PARSE_ERROR, message: `Parse error: the line is not JSON. ${message}` }
        : { code: INVALID_REQUEST, message: 'Invalid Request: the line is no JSON-RPC message.' }
    }
  }
}

/** The tools read their arguments themselves, so that a wrong one gets a message of Understudy. */
function toStandardSchema(schema: object) {
  return {
    '~standard': {
      version: 1 as const,
      vendor: packageName,
      validate: (value: unknown) => ({ value }),
      jsonSchema: { input: () => ({ ...schema }), output: () => ({}) },
    },
  }
}

function instructionsFor(url: string): string {
  return `Understudy simulates the Plugin and Annotation Management API at ${url}.
Set this URL as the base URL of the program under test, with a key: overview lists the keys. Otherwise the journal stays empty.
operations describes the API. send_request sends a request. report lists the mistakes that the program made.
If a response surprises, pass the id of its entry to explain. A setting whose evidence is "assumed" is a guess: the client should work with each of its values.`
}

/** @throws UsageError for a flag that would have no effect, because the target runs already */
function rejectServerFlags(command: Command): void {
  const flag = command.options.find(
    (option) =>
      !['--target', '--token'].includes(String(option.long)) &&
      command.getOptionValueSource(option.attributeName()) === 'cli',
  )
  if (flag) throw new UsageError(`${flag.long} has no effect with --target. Pass it to serve.`)
}
