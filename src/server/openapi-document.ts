import { readFile } from 'node:fs/promises'
import type { ServerResponse } from 'node:http'
import type { NodeRequest } from '../adapters/express/node-request.ts'
import { sendFailure } from '../adapters/express/node-response.ts'
import { Failure, quote } from '../http/failures.ts'
import { queryString, requestTarget, splitSandboxPath } from '../http/url.ts'
import { nearestProfile, type Profile } from '../settings/resolve.ts'
import type { Simulator } from '../simulator.ts'
import { packageFile } from '../utils/files.ts'
import { openApiVersions, toOpenApi30 } from './older-openapi.ts'

/** The documents of the profiles, which the package contains. */
const files = { documented: 'openapi.json', live: 'openapi.live.json' } as const

/**
 * Serves the OpenAPI document of the profile that is nearest to the settings, at `/openapi.json` of a simulator and of
 * its sandboxes, and with `?version=3.0` its older form. Everybody may read it, without a key. Each is read once.
 *
 * @returns a function that says whether a request was for it
 */
export function serveDocument(
  simulator: Simulator,
  report: (error: unknown) => void,
): (request: NodeRequest, response: ServerResponse) => boolean {
  const texts = new Map<string, Promise<string>>()
  const readOnce = (profile: Profile, version: OpenApiVersion): Promise<string> => {
    const name = `${profile} ${version}`
    const text = texts.get(name) ?? readDocument(profile, version)
    texts.set(name, text)
    text.catch(() => texts.delete(name))
    return text
  }
  const send = async (response: ServerResponse, profile: Profile, url: string): Promise<void> => {
    const json = await readOnce(profile, versionOf(url))
    const length = Buffer.byteLength(json)
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': length })
    response.end(json)
  }
  return (request, response) => {
    const { method, url = '/' } = request
    const target = splitSandboxPath(/^https?:/i.test(url) ? requestTarget(url) : url)
    const isDocument = /^\/openapi\.json(?:[?#]|$)/.test(target.path)
    const { sandboxId } = target
    const described = sandboxId === undefined ? simulator : simulator.sandboxes.get(sandboxId)
    if (!isDocument || !described || (method !== 'GET' && method !== 'HEAD')) return false
    send(response, nearestProfile(described.settings.values).profile, url).catch((error) => {
      sendFailure(response, error, report)
    })
    return true
  }
}

type OpenApiVersion = (typeof openApiVersions)[number]

/** Returns the version of OpenAPI that a URL asks for. @throws Failure for one that no document has */
export function versionOf(url: string): OpenApiVersion {
  const [newest] = openApiVersions
  const asked = new URLSearchParams(queryString(url)).get('version') ?? newest
  const version = openApiVersions.find((name) => name === asked)
  if (version !== undefined) return version
  const detail = `Failed to read the document: expected version ${openApiVersions.join(' or ')}, got ${quote(asked)}.`
  throw new Failure('validation_error', detail, { attr: 'version' })
}

async function readDocument(profile: Profile, version: OpenApiVersion): Promise<string> {
  const text = await readFile(packageFile(`src/api/${files[profile]}`), 'utf8')
  return version === '3.1' ? text : `${JSON.stringify(toOpenApi30(JSON.parse(text)), null, 2)}\n`
}
