import type { RequestHandler } from 'msw'
import { type SetupServer, setupServer } from 'msw/node'
import { onTestFinished } from 'vitest'
import { startHttpServer } from '../support/http-server.ts'

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

/** Starts a server of another API, which responds with the requested path. */
export function startOtherServer(): Promise<string> {
  return startHttpServer(({ url }, response) => response.end(JSON.stringify({ other: url })))
}
