// A server to load, in a process of its own: `bare` (node:http) sends one prepared page or row, `bareEach` and
// `expressEach` a prepared buffer for each of them, `ours` is the simulator behind listen. CHECKOUT is a folder with
// another build of it.
import http from 'node:http'
import { resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import express from 'express'
import { prepared, preparedEach } from './bare.mjs'
import { worldOf } from './worlds.mjs'

const checkout = process.env.CHECKOUT ?? fileURLToPath(new URL('../..', import.meta.url))
const built = (name) => import(pathToFileURL(resolve(checkout, 'dist', name)).href)
const { createSimulator } = await built('index.js')
const { listen } = await built('node.js')
const [kind, count, port] = process.argv.slice(2)
const simulator = createSimulator({ world: worldOf(Number(count)) })
const bytes = async (path) => {
  const response = await simulator.fetch(path, { headers: { authorization: 'Bearer phx_all' } })
  return Buffer.from(await response.arrayBuffer())
}
const list = '/api/projects/1/annotations/'
const one = async () => prepared(await bytes(`${list}?limit=100`), await bytes(`${list}5/`))

async function each() {
  const pages = []
  const rows = []
  for (let offset = 0; offset < count; offset += 100) {
    const page = await bytes(`${list}?limit=100&offset=${offset}`)
    pages.push(page)
    // Not a slice of the page: that would be the same memory. The list has the newest row first.
    for (const row of JSON.parse(page).results) rows[row.id - 1] = Buffer.from(JSON.stringify(row))
  }
  return preparedEach(pages, rows)
}

const bare = (send) => http.createServer(send).listen(port, '127.0.0.1')
const app = () => express().disable('x-powered-by').disable('etag')
const started = {
  bare: async () => bare(await one()),
  bareEach: async () => bare(await each()),
  expressEach: async () =>
    app()
      .use(await each())
      .listen(port, '127.0.0.1'),
  ours: () => listen(simulator, { port: Number(port) }),
}
process.on('SIGINT', () => process.exit())
await started[kind]()
