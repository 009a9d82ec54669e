import { IncomingMessage, type ServerOptions, ServerResponse } from 'node:http'
import express from 'express'

/** An Express application, and the classes that a server of Node creates its requests and responses with. */
interface Application {
  readonly app: express.Express
  readonly classes: Pick<ServerOptions, 'IncomingMessage' | 'ServerResponse'>
}

/**
 * Creates an Express application whose requests and responses are born with the methods of Express.
 *
 * @note Express sets the prototype of each request and response to `app.request` and `app.response`. V8 is slow with
 * objects whose prototype was changed, which costs several times what Node itself takes for a request. Objects that have
 * this prototype from the start are left alone.
 */
export function createApplication(): Application {
  const app = express().disable('x-powered-by').disable('etag')
  class Request extends IncomingMessage {}
  class Response extends ServerResponse {}
  Object.setPrototypeOf(Request.prototype, app.request)
  Object.setPrototypeOf(Response.prototype, app.response)
  Object.assign(app, { request: Request.prototype, response: Response.prototype })
  return { app, classes: { IncomingMessage: Request, ServerResponse: Response } as object }
}
