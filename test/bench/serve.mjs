// A server to load, in a process of its own: `bare` (node:http) and `stock` (Express) send prepared bytes,
// `ours` is the simulator behind listen, `unjournalled` the same without a journal, `mounted` the simulator in a
// stock Express application.
import http from 'node:http'
import express from 'express'
import { toExpress } from '../../dist/express.js'
import { createSimulator } from '../../dist/index.js'
import { listen } from '../../dist/node.js'
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

/** Sends what was prepared; reads a body first where there is one. */
function prepared(request, response) {
  const text = request.url.includes('?') ? page : row
  const send = () => {
    response.writeHead(request.method === 'POST' ? 201 : 200, {
      'content-type': 'application/json',
      'content-length': text.length,
    })
    response.end(text)
  }
  if (request.method === 'GET') return send()
  request.on('data', () => {})
  request.on('end', send)
}

const app = () => express().disable('x-powered-by').disable('etag')
const started = {
  bare: () => http.createServer(prepared).listen(port, '127.0.0.1'),
  stock: () => app().use(prepared).listen(port, '127.0.0.1'),
  mounted: () => app().use(toExpress(simulator.handlers)).listen(port, '127.0.0.1'),
  ours: () => listen(simulator, { port: Number(port) }),
  unjournalled: () => listen(simulator, { port: Number(port) }),
}
await started[kind]()
console.log('ready')
