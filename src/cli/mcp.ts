import process from 'node:process'
import { PassThrough } from 'node:stream'
import type { Command } from 'commander'
import { ControlClient } from '../remote/client.ts'
import { createMcpServer } from '../server/mcp/mcp-server.ts'
import { tryParseJson } from '../utils/foreign-json.ts'
import { isObject } from '../utils/json.ts'
import { UsageError } from '../utils/usage-error.ts'
import { defineCommand } from './command.ts'
import { asUnreachable, CommandContext } from './command-context.ts'
import { flagsOf } from './flags.ts'
import { serve } from './serve.ts'
import type { ServeFlags } from './served-source.ts'

const help = `
Add it to the configuration of an agent:
  {"mcpServers": {"understudy": {"command": "npx", "args": ["understudy-api", "mcp"]}}}

Examples:
  npx understudy-api mcp                                 a server of its own, on any free port
  npx understudy-api mcp --data ./world.json --profile live
  npx understudy-api mcp --target http://127.0.0.1:4010  a server that runs

stdout has the protocol only. The URL of the server and its log are on stderr. The command ends with its stdin.`

const shared = flagsOf('mcp')

export default defineCommand({
  name: 'mcp',
  summary: 'Serve the Model Context Protocol on stdin and stdout, for agents.',
  flags: {
    '--target <url>': 'server to control (default: a server of its own)',
    ...shared,
    // Several agents can start it at the same time.
    '--port <number>': { ...shared['--port <number>'], default: 0 },
  },
  help,
  run(_args, { target, ...flags }, context, command) {
    if (target === undefined) return serveAndControl(flags, context)
    rejectServerFlags(command)
    return controlTarget(target, flags.token, context)
  },
})

/** @throws UsageError for a flag that would have no effect, because the target runs already */
function rejectServerFlags(command: Command): void {
  const flag = command.options.find(
    (option) =>
      !['--target', '--token'].includes(String(option.long)) &&
      command.getOptionValueSource(option.attributeName()) === 'cli',
  )
  if (flag) throw new UsageError(`${flag.long} has no effect with --target. Pass it to serve.`)
}

/** Serves the API, and ends the server when the agent closes the connection. */
async function serveAndControl(
  flags: Omit<ServeFlags, 'host'>,
  { stdout, stderr, ended }: CommandContext,
) {
  const closed = new AbortController()
  const signals = AbortSignal.any([ended, closed.signal])
  let failure: unknown = null
  const inner = new CommandContext({ stdout: stderr, stderr, signal: signals })
  await serve({ ...flags, host: '127.0.0.1' }, inner, (url) => {
    const client = new ControlClient(url, flags.token)
    connectStdio(client, stdout, inner)
      .catch((error) => {
        failure = error
      })
      .finally(() => closed.abort())
  })
  if (failure) throw failure
}

async function controlTarget(url: string, token: string | undefined, context: CommandContext) {
  const client = new ControlClient(url, token)
  await client.health().catch((error) => Promise.reject(asUnreachable(error)))
  // A wrong token is reported now, and not by each tool.
  await client.call('readClock')
  await connectStdio(client, context.stdout, context)
}

/** How long the last results are waited for when stdin has ended, in milliseconds. */
const gracePeriod = 5_000

/** Speaks the protocol until stdin ends or the user interrupts. */
async function connectStdio(
  client: ControlClient,
  stdout: NodeJS.WritableStream,
  context: CommandContext,
): Promise<void> {
  const { deserializeMessage, StdioServerTransport, serveStdio } = await import(
    '../server/mcp/sdk.ts'
  )
  // The transport drops open requests when its input ends.
  const input = new PassThrough()
  const transport = new StdioServerTransport(input, stdout as NodeJS.WriteStream, {
    // With its line break
    maxBufferSize: maxLineBytes + 1,
  })
  const open = new Set<unknown>()
  let hasEnded = false
  const endIfDone = (): void => {
    if (hasEnded && open.size === 0) input.end()
  }
  const send = transport.send.bind(transport)
  transport.send = async (message) => {
    await send(message)
    if (!('method' in message)) open.delete(message.id)
    endIfDone()
  }
  const handle = serveStdio(() => createMcpServer(client), {
    transport,
    onerror: (error) => context.printError(error.message),
  })
  const receive = transport.onmessage
  transport.onmessage = (message) => {
    if ('method' in message && 'id' in message) open.add(message.id)
    receive?.(message)
  }
  const { stdin } = process
  readJsonRpcLines(
    stdin,
    deserializeMessage,
    (line) => input.write(line),
    (response) => {
      context.printError(response.error.message)
      stdout.write(`${JSON.stringify(response)}\n`)
    },
  )
  stdin.once('end', () => {
    hasEnded = true
    setImmediate(endIfDone)
    // A request that was cancelled gets no result.
    AbortSignal.timeout(gracePeriod).addEventListener('abort', () => input.end())
  })
  const ended = new Promise((resolve) => input.once('end', resolve))
  await Promise.race([ended, context.interrupted()])
  await handle.close()
  stdin.destroy()
}

/** The error response of JSON-RPC 2.0 to a line that is not a message. */
interface LineError {
  readonly jsonrpc: '2.0'
  /** Null if the line has no id that could be read */
  readonly id: string | number | null
  readonly error: { readonly code: number; readonly message: string }
}

/** The longest line that is read, in bytes. The content of an import, in which each character may be escaped, fits. */
const maxLineBytes = 128 * 1024 * 1024

/**
 * Reads messages of JSON-RPC 2.0 from a stream, one in each line. The SDK drops a line that it cannot read, so its sender
 * would wait for a response that never comes.
 *
 * @param parse reads a message as the SDK does. It throws for any other line
 * @param onLine called with the line of each message, which ends with a line break
 * @param onRefused called with the error response to each other line
 */
function readJsonRpcLines(
  stream: NodeJS.ReadStream,
  parse: (line: string) => unknown,
  onLine: (line: string) => void,
  onRefused: (error: LineError) => void,
): void {
  let number = 0
  let rest = ''
  let bytes = 0
  const read = (line: string): void => {
    number += 1
    const isTooLong = bytes > maxLineBytes
    bytes = 0
    if (!isTooLong && line.trim() === '') return
    const error = isTooLong ? refuseLength(number) : checkLine(line, number, parse)
    if (error) onRefused(error)
    else onLine(`${line}\n`)
  }
  const add = (part: string): void => {
    bytes += Buffer.byteLength(part)
    rest = bytes > maxLineBytes ? '' : rest + part
  }
  stream.setEncoding('utf8')
  stream.on('data', (chunk: string) => {
    const [first = '', ...lines] = chunk.split('\n')
    add(first)
    for (const line of lines) {
      read(rest)
      rest = ''
      add(line)
    }
  })
  stream.once('end', () => read(rest))
}

function checkLine(
  line: string,
  number: number,
  parse: (line: string) => unknown,
): LineError | null {
  const parsed = tryParseJson(line)
  if (!parsed) return refusal(null, -32_700, number, 'JSON')
  try {
    parse(line)
    return null
  } catch {
    const { id } = isObject(parsed.value) ? parsed.value : {}
    const known = typeof id === 'string' || typeof id === 'number' ? id : null
    return refusal(known, -32_600, number, 'a message of JSON-RPC 2.0')
  }
}

function refuseLength(number: number): LineError {
  return refusal(null, -32_600, number, `at most ${maxLineBytes} bytes`)
}

function refusal(id: LineError['id'], code: number, line: number, expected: string): LineError {
  const message = `Failed to read line ${line} of stdin: expected ${expected}.`
  return { jsonrpc: '2.0', id, error: { code, message } }
}
