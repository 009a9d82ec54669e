import http from 'node:http'
import type https from 'node:https'
import type { Application } from 'express'

/**
 * Creates a server whose requests and responses have the prototypes of an Express application from the start.
 *
 * Express changes the prototype of each request and response. After that, all of Node's own code for them is several
 * times slower. Objects that already have the right prototype stay unchanged.
 *
 * @param createServer that of `node:https` for a server with a certificate
 */
export function createFastServer(
  app: Application,
  options: https.ServerOptions = {},
  listener: http.RequestListener = app,
  createServer: typeof http.createServer = http.createServer,
): http.Server {
  class FastRequest extends http.IncomingMessage {}
  class FastResponse<R extends http.IncomingMessage> extends http.ServerResponse<R> {
    // Express would create a dictionary without a prototype for each response.
    readonly locals = new Locals()
  }
  usePrototype(app, 'request', FastRequest)
  usePrototype(app, 'response', FastResponse)
  const objects = { IncomingMessage: FastRequest, ServerResponse: FastResponse }
  return createServer({ ...options, ...objects }, listener)
}

/** `response.locals` of Express: an object that inherits nothing. */
class Locals {}
Object.setPrototypeOf(Locals.prototype, null)

/** Makes the class's prototype the one that the application gives to its objects. */
function usePrototype(
  app: Application,
  name: 'request' | 'response',
  { prototype }: { prototype: object },
): void {
  const expressPrototype = Reflect.get(app, name) as object
  Object.setPrototypeOf(prototype, Object.getPrototypeOf(expressPrototype))
  Object.defineProperties(prototype, Object.getOwnPropertyDescriptors(expressPrototype))
  Reflect.set(app, name, prototype)
}

/** Whether this version of Express keeps its prototypes where `createFastServer` replaces them. */
export function supportsFastServer(app: Application): boolean {
  return ['request', 'response'].every((name) => {
    const property = Object.getOwnPropertyDescriptor(app, name)
    return property?.writable === true && Object.hasOwn(property.value, 'app')
  })
}
