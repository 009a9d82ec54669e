export { type ExpressOptions, type Middleware, toExpress } from './adapters/express/express.ts'
export type { NodeRequest } from './adapters/express/node-http.ts'
