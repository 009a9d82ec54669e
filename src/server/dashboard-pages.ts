import { existsSync } from 'node:fs'
import type { ServerResponse } from 'node:http'
import express from 'express'
import type { Middleware } from '../adapters/express/express.ts'
import { NodeApiRequest, type NodeRequest } from '../adapters/express/node-request.ts'
import { Failure } from '../http/failures.ts'
import { packageFile } from '../utils/package-file.ts'
import { checkPageAccess, type Guard } from './control/guard.ts'

/** Where the build puts the pages. */
const folder = packageFile('dist/dashboard')

/** A page may load and ask its own origin only, run nothing that is written into it, and stand in no frame. */
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
 * The dashboard at `/__admin/`, to which a browser is led that opens the address of the server. Whatever is no file
 * of it goes on to `next`.
 *
 * @example const pages = dashboardPages({ isExposed: false })
 */
export function dashboardPages(guard: Guard): Middleware {
  const files = express.static(folder, {
    cacheControl: false,
    setHeaders(response) {
      response.setHeader('cache-control', 'no-cache')
    },
  })
  const router = express.Router()
  router.get('/', (request, response, next) => {
    const asksForPage = request.headers.accept?.includes('text/html') ?? false
    if (!asksForPage || accessErrorOf(request, guard) !== null) return next()
    response.writeHead(302, { location: '/__admin/', vary: 'accept' }).end()
  })
  router.use('/__admin', (request, response, next) => {
    // Not every server gives requests what Express adds to them.
    const path = (request.url ?? '/').split('?')[0] as string
    if (!isDashboardFile(path)) return next()
    const refusal = accessErrorOf(request, guard)
    for (const [name, value] of Object.entries(headersFor(path))) {
      response.setHeader(name, value)
    }
    if (refusal === null) files(request, response, next)
    else sendForbidden(response, refusal)
  })
  return router as unknown as Middleware
}

function isDashboardFile(path: string): boolean {
  if (path === '/' || path === '/docs' || path === '/docs/') return true
  return /^\/(assets|docs)\/[\w-]+(\.min)?\.\w+$/.test(path) && existsSync(folder + path)
}

/** The reference is drawn by a library that writes styles into its elements. */
function headersFor(path: string): Readonly<Record<string, string>> {
  if (!path.startsWith('/docs')) return pageHeaders
  const policy = pageHeaders['content-security-policy'] ?? ''
  const styled = policy.replace("style-src 'self'", "style-src 'self' 'unsafe-inline'")
  return { ...pageHeaders, 'content-security-policy': styled }
}

/** What is wrong with how a page is opened; null where nothing is. */
function accessErrorOf(request: NodeRequest, guard: Guard): string | null {
  const call = new NodeApiRequest(request)
  try {
    checkPageAccess(call, guard)
    return null
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    const reason = String(error.detail).replace('use the control API', 'open the dashboard')
    const address = `http://${request.headers.host}/__admin/`
    return reason.includes('another site')
      ? `${reason} Nothing was shown or changed. Type ${address} into the address bar, or open it from a bookmark.`
      : reason
  }
}

function sendForbidden(response: ServerResponse, refusal: string): void {
  response.writeHead(403, { 'content-type': 'text/plain; charset=utf-8' })
  response.end(`${refusal}\n`)
}
