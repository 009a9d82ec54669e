import nodeHttp from 'node:http'
import type { RequestHandler } from 'msw'
import { type SetupServer, setupServer } from 'msw/node'
import { onTestFinished } from 'vitest'

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
