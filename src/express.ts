export { type ExpressOptions, toExpress } from './adapters/express/express.ts'
