import { existsSync } from 'node:fs'
import express from 'express'
import type { Middleware } from '../adapters/express/express.ts'
import { NodeApiRequest, type NodeRequest } from '../adapters/express/node-http.ts'
import { Failure } from '../http/failures.ts'
import { packageFile } from '../utils/package-file.ts'
import { version } from '../utils/version.ts'
import { checkPageAccess, type Guard } from './guard.ts'

/** Not a constant: in a bundle of a user the package is not found, which only its dashboard needs. */
const findFolder = () => packageFile('dist/dashboard')

/** Pages load and fetch from their own origin only, run no inline scripts, and cannot be framed. */
export const pageHeaders: Readonly<Record<string, string>> = {
  'content-security-policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; '),
  'x-frame-options': 'DENY',
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
}

/**
 * Serves the dashboard at `/__admin/`, and redirects a browser from `/` to it. Other requests call `next()`.
 *
 * @param onOpen called when a browser has loaded the dashboard, which then asks the admin API
 */
export function dashboardPages(guard: Guard, onOpen: () => void): Middleware {
  let files: express.Handler | null = null
  const router = express.Router()
  router.get('/', (request, response, next) => {
    const acceptsPage = request.headers.accept?.includes('text/html') ?? false
    if (!acceptsPage || accessError(request, guard) !== null) return next()
    response.writeHead(302, { location: '/__admin/', vary: 'accept' }).end()
  })
  router.use('/__admin', (request, response, next) => {
    const { path } = request
    if (!isDashboardFile(path)) return next()
    const error = accessError(request, guard)
    for (const [name, value] of Object.entries(headersOf(path))) response.setHeader(name, value)
    // Relative, since a proxy may add a prefix to all paths.
    if (error === null && path === '/docs') response.writeHead(302, { location: 'docs/' }).end()
    else if (error === null) {
      // Loading the operations would delay the files.
      if (path === '/assets/main.js') response.once('finish', onOpen)
      files ??= express.static(findFolder(), {
        cacheControl: false,
        setHeaders: (response) => response.setHeader('cache-control', 'no-cache'),
      })
      files(request, response, next)
    } else
      response.writeHead(403, { 'content-type': 'text/plain; charset=utf-8' }).end(`${error}\n`)
  })
  return (request, response, next) =>
    router(request as express.Request, response as express.Response, next)
}

/** What `curl http://127.0.0.1:4010/` prints. A browser is redirected to the dashboard instead. */
export function helpText(prefix: string, hasDashboard: boolean): string {
  const next = hasDashboard
    ? 'Open /__admin/ in a browser for the dashboard.'
    : 'Read /openapi.json for its operations.'
  return `Understudy ${version} simulates the Plugin and Annotation Management API below ${prefix}/api/.\n${next}\n`
}

function isDashboardFile(path: string) {
  if (['/', '/docs', '/docs/'].includes(path)) return true
  return /^\/(?:assets|docs)\/[\w-]+\.\w+$/.test(path) && existsSync(findFolder() + path)
}

/** Swagger UI sets styles in attributes. */
function headersOf(path: string) {
  if (!path.startsWith('/docs/')) return pageHeaders
  const { 'content-security-policy': policy = '' } = pageHeaders
  return {
    ...pageHeaders,
    'content-security-policy': policy.replace('style-src', "style-src 'unsafe-inline'"),
  }
}

/** Returns why a page cannot be opened, or null if it can. */
function accessError(request: NodeRequest, guard: Guard): string | null {
  try {
    checkPageAccess(new NodeApiRequest(request), guard)
    return null
  } catch (error) {
    if (error instanceof Failure) return String(error.detail)
    throw error
  }
}
