import type { IncomingMessage, ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { onTestFinished } from 'vitest'
import defaultWorld from '../../../fixtures/default.json' with { type: 'json' }
import { listen } from '../../../src/server/listen.ts'
import { createSimulator, type Simulator } from '../../../src/simulator.ts'
import type { WorldJson } from '../../../src/world/world-json.ts'
import { startHttpServer } from '../http-server.ts'

/** A world whose ids differ from those of the scenarios. */
const otherWorld = {
  organizations: [
    { id: '018f2b6e-0000-7000-8000-00000000000c', name: 'Umbrella', plugins_access_level: 9 },
  ],
  projects: [
    {
      ...defaultWorld.projects[0],
      id: 71,
      organization: '018f2b6e-0000-7000-8000-00000000000c',
      name: 'Shop',
    },
  ],
  users: [
    { ...defaultWorld.users[0], id: 5, organizations: ['018f2b6e-0000-7000-8000-00000000000c'] },
  ],
  keys: [{ value: 'phx_eve', label: 'eve', user: 5, scopes: ['*'] }],
} as unknown as WorldJson

/** A server to check. */
interface CheckedServer {
  /** The flags that name it, and its key */
  readonly flags: string[]
  readonly url: string
  readonly simulator: Simulator
}

/** Starts a server to check. */
async function serveToCheck(): Promise<CheckedServer> {
  const simulator = createSimulator({ world: otherWorld })
  const server = await listen(simulator, { port: 0 })
  onTestFinished(() => server.close())
  const { url } = server
  return { flags: ['--target', url, '--key', 'phx_eve'], url, simulator }
}

/**
 * Starts a server to check that responds to some requests in its own way.
 *
 * @param respond returns false for a request that the simulator answers
 */
export async function serveWithDefect(
  respond: (request: IncomingMessage, response: ServerResponse) => boolean,
): Promise<CheckedServer> {
  const { simulator } = await serveToCheck()
  const url = await startHttpServer(async (request, response) => {
    if (respond(request, response)) return
    const { method = 'GET', headers } = request
    const body = await text(request)
    const answer = await simulator.fetch(request.url ?? '', {
      method,
      headers: headers as Record<string, string>,
      ...(body && { body }),
    })
    response.writeHead(answer.status, Object.fromEntries(answer.headers)).end(await answer.text())
  })
  return { url, flags: ['--target', url, '--key', 'phx_eve'], simulator }
}
