import http from 'node:http'
import type { Application } from 'express'

/**
 * A server for an Express application whose requests and responses are made with Express's prototypes.
 *
 * Express gives each request and response another prototype, after which all of Node's own code for them
 * runs several times slower. Objects that have it from birth are left as they are.
 *
 * @param layer what is run in place of the application: its only layer, which Express need not look for
 */
export function createFastServer(app: Application, layer: http.RequestListener = app): http.Server {
  class BornRequest extends http.IncomingMessage {}
  class BornResponse extends http.ServerResponse {}
  adopt(app, 'request', BornRequest)
  adopt(app, 'response', BornResponse)
  return http.createServer({ IncomingMessage: BornRequest, ServerResponse: BornResponse }, layer)
}

/** Puts a class of ours between Node's and what the application would make of its objects. */
function adopt(app: Application, name: 'request' | 'response', born: { prototype: object }): void {
  const settings = Reflect.get(app, name) as object
  Object.setPrototypeOf(born.prototype, Object.getPrototypeOf(settings))
  Object.defineProperties(born.prototype, Object.getOwnPropertyDescriptors(settings))
  Reflect.set(app, name, born.prototype)
}

/** Whether Express still keeps the prototypes where `bornRightServer` puts its own. */
export function supportsFastServer(app: Application): boolean {
  return ['request', 'response'].every((name) => {
    const kept = Object.getOwnPropertyDescriptor(app, name)
    return kept?.writable === true && Object.hasOwn(kept.value, 'app')
  })
}
