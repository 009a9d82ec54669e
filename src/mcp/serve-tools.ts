import process from 'node:process'
import type { Writable } from 'node:stream'
import type { Remote } from '../admin/connect.ts'
import { packageName, version } from '../utils/version.ts'
import { operations } from './operations.ts'
import { readTools } from './read-tools.ts'
import { sendRequest } from './send-request.ts'
import { existing, inputSchemaOf, runTool, type Tool } from './tool.ts'
import { writeTools } from './write-tools.ts'

/** In the order in which an agent reads them: it starts with the overview. */
export const tools: readonly Tool[] = [...readTools, operations, sendRequest, ...writeTools]

export function instructionsFor(url: string): string {
  return `Understudy simulates the Plugin and Annotation Management API at ${url}.
Set this URL as the base URL of the program under test, with a key of overview. Otherwise the journal stays empty.
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
 * @returns `ended`, which is fulfilled when stdin has ended, and `close`
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
      try {
        return { content: answer(await runTool(findTool(name), remote, args, call)) }
      } catch (error) {
        return { content: answer((error as Error).message), isError: true }
      }
    })
    return server
  }
  const { stdin } = process
  const ended = new Promise<void>((resolve) => {
    stdin.once('end', resolve).once('close', resolve)
  })
  const transport = new StdioServerTransport(stdin, stdout)
  const onerror = (error: Error): void => onError(error.message)
  const handle = serveStdio(createServer, { transport, onerror })
  // When stdout is lost, the transport pauses a stdin that nobody else reads, which then does not say that it ends.
  stdin.on('data', () => {})
  return {
    ended,
    async close() {
      await handle.close()
      stdin.destroy()
    },
  }
}

function findTool(name: string): Tool {
  const names = tools.map((tool) => tool.name)
  return existing(
    tools.find((tool) => tool.name === name),
    `Tool ${name}`,
    names,
    name,
  )
}
