import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { onTestFinished } from 'vitest'

/** Connects the SDK's own client to `/__admin/mcp` of a server, or below the URL of a sandbox. */
export async function connectMcp(
  url: string,
  headers: Readonly<Record<string, string>> = {},
  version = '2025-11-25',
): Promise<Client> {
  const mode = version < '2026' ? 'legacy' : { pin: version }
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode } })
  const transport = new StreamableHTTPClientTransport(new URL(`${url}/__admin/mcp`), {
    requestInit: { headers },
  })
  onTestFinished(() => client.close())
  await client.connect(transport)
  return client
}

/** The structured result of a tool. @throws Error with the message of a failed one */
export async function callTool(
  client: Client,
  name: string,
  args: Readonly<Record<string, unknown>> = {},
): Promise<unknown> {
  const { content, structuredContent, isError } = await client.callTool({ name, arguments: args })
  const [{ text = '' } = {}] = content as { text?: string }[]
  if (isError) throw new Error(text)
  return structuredContent
}
