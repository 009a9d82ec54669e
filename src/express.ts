export { type ExpressOptions, type Middleware, toExpress } from './adapters/express/express.ts'
