// A server to load, in a process of its own: `bare` (node:http) and `stock` (Express) send prepared bytes,
// `ours` is the simulator behind listen, `unjournalled` the same without a journal, `mounted` the simulator in a
// stock Express application.
import http from 'node:http'
import express from 'express'
import { toExpress } from '../../dist/express.js'
import { createSimulator } from '../../dist/index.js'
import { listen } from '../../dist/node.js'
import { prepared } from './bare.mjs'
import { worldOf } from './worlds.mjs'

const [kind, count, port] = process.argv.slice(2)
const journal = kind === 'unjournalled' ? { entries: 0 } : {}
const simulator = createSimulator({ world: worldOf(Number(count)), journal })
const bytes = async (path) => {
  const response = await simulator.fetch(path, { headers: { authorization: 'Bearer phx_all' } })
  return Buffer.from(await response.arrayBuffer())
}
const page = await bytes('/api/projects/1/annotations/?limit=100')
const row = await bytes('/api/projects/1/annotations/5/')

const send = prepared(page, row)
const app = () => express().disable('x-powered-by').disable('etag')
const started = {
  bare: () => http.createServer(send).listen(port, '127.0.0.1'),
  stock: () => app().use(send).listen(port, '127.0.0.1'),
  mounted: () => app().use(toExpress(simulator.handlers)).listen(port, '127.0.0.1'),
  ours: () => listen(simulator, { port: Number(port) }),
  unjournalled: () => listen(simulator, { port: Number(port) }),
}
process.on('SIGINT', () => process.exit())
await started[kind]()
