import { readFileSync } from 'node:fs'
import type { ServerResponse } from 'node:http'
import type { NodeRequest } from '../adapters/express/node-request.ts'
import { requestTarget, splitSandboxPath } from '../http/url.ts'
import { diffSettings, profiles, resolveSettings } from '../settings/resolve.ts'
import type { Simulator } from '../simulator.ts'
import { packageFile } from '../utils/files.ts'

/** The documents of the profiles, which the package contains. */
const files = { documented: 'openapi.json', live: 'openapi.live.json' } as const

/**
 * Serves the OpenAPI document of the profile that is nearest to the settings, at `/openapi.json` of a simulator and of
 * its sandboxes. Everybody may read it, without a key. @returns whether the request was for it
 */
export function serveDocument(
  simulator: Simulator,
  { method, url = '/' }: NodeRequest,
  response: ServerResponse,
): boolean {
  const target = splitSandboxPath(/^https?:/i.test(url) ? requestTarget(url) : url)
  const isDocument = /^\/openapi\.json(?:[?#]|$)/.test(target.path)
  const { sandboxId } = target
  const described = sandboxId === undefined ? simulator : simulator.sandboxes.get(sandboxId)
  if (!isDocument || !described || (method !== 'GET' && method !== 'HEAD')) return false
  const { values } = described.settings
  const distances = profiles.map((profile) => {
    const { length } = Object.keys(diffSettings(resolveSettings(profile), values))
    return { profile, length }
  })
  const nearest = distances.reduce((best, one) => (one.length < best.length ? one : best))
  const text = readFileSync(packageFile(`src/api/${files[nearest.profile]}`))
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': text.length })
  response.end(text)
  return true
}
