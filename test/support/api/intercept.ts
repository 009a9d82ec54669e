import nodeHttp from 'node:http'
import type { RequestHandler } from 'msw'
import { type SetupServer, setupServer } from 'msw/node'
import { onTestFinished } from 'vitest'

/** Handlers at work until the test ends, and the addresses that none of them answered. */
export function intercept(handlers: RequestHandler[]): {
  server: SetupServer
  unhandled: string[]
} {
  const unhandled: string[] = []
  const server = setupServer(...handlers)
  server.listen({ onUnhandledRequest: ({ url }) => void unhandled.push(url) })
  onTestFinished(() => server.close())
  return { server, unhandled }
}

/** A server of somebody else, which tells what it was asked for. */
export async function startOtherServer(): Promise<string> {
  const other = nodeHttp.createServer(({ url }, response) => {
    response.end(JSON.stringify({ other: url }))
  })
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    other.close()
    other.closeAllConnections()
  })
  return `http://127.0.0.1:${(other.address() as { port: number }).port}`
}
