import { readFile } from 'node:fs/promises'
import type { ServerResponse } from 'node:http'
import { type NodeRequest, requestOrigin, sendError } from '../adapters/express/node-http.ts'
import { receivedTarget } from '../http/messages.ts'
import { splitSandboxPath } from '../http/route.ts'
import { toProfile } from '../settings/resolve.ts'
import type { Simulator } from '../simulator/simulator.ts'
import { packageFile } from '../utils/package-file.ts'

/** The documents that the package contains: of the API in each profile, and of the admin API. */
const files = {
  documented: 'src/api/openapi.json',
  live: 'src/api/openapi.live.json',
  admin: 'src/admin/openapi.json',
} as const

/**
 * Serves the OpenAPI document of the profile that is nearest to the settings, at `/openapi.json` of a simulator and of
 * its sandboxes, and that of the admin API at `/__admin/openapi.json`. Everybody may read them, without a key.
 *
 * @returns a function that says whether a request was for one
 */
export function serveDocuments(
  simulator: Simulator,
  report: (error: unknown) => void,
): (request: NodeRequest, response: ServerResponse) => boolean {
  const prefix = new URL(simulator.url).pathname.replace(/\/$/, '')
  const send = async (request: NodeRequest, response: ServerResponse, file: string) => {
    const document = JSON.parse(await readFile(packageFile(file), 'utf8'))
    // Importers such as Postman and Bruno take no relative URL, and put a path with a slash after a slash.
    for (const server of document.servers)
      server.url = requestOrigin(request) + prefix + server.url.replace(/\/$/, '')
    const json = JSON.stringify(document, null, 2)
    const length = Buffer.byteLength(json)
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': length })
    response.end(json)
  }
  return (request, response) => {
    const { method, url = '/' } = request
    if (!url.includes('openapi.json') || (method !== 'GET' && method !== 'HEAD')) return false
    const target = splitSandboxPath(receivedTarget(url))
    const path = /^(\/__admin)?\/openapi\.json(?:[?#]|$)/.exec(target.path)
    const { sandboxId } = target
    const described = sandboxId === undefined ? simulator : simulator.sandboxes.get(sandboxId)
    if (!path || !described) return false
    const file = files[path[1] ? 'admin' : toProfile(described.settings.values).profile]
    send(request, response, file).catch((error) => sendError(response, error, report))
    return true
  }
}
