import cors from 'cors'
import type { Middleware } from './express.ts'

/** CORS for any origin, without credentials. A preflight is answered here; a plain OPTIONS goes on to the service. */
export function createCors(): Middleware {
  const exposedHeaders = ['allow', 'retry-after', 'understudy-nearest', 'www-authenticate']
  return cors((request, done) => {
    const isPreflight = request.headers['access-control-request-method'] !== undefined
    done(null, { exposedHeaders, preflightContinue: !isPreflight })
  }) as Middleware
}
