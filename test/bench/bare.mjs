// The floor: node:http that sends prepared bytes. `node bare.mjs PAGE ROW PORT`
import { readFileSync } from 'node:fs'
import http from 'node:http'
import { fileURLToPath } from 'node:url'

/** Sends a prepared page or row; reads a body first where there is one. */
export function prepared(page, row) {
  return (request, response) => {
    const bytes = request.url.includes('?') ? page : row
    const send = () => {
      response.writeHead(request.method === 'POST' ? 201 : 200, {
        'content-type': 'application/json',
        'content-length': bytes.length,
      })
      response.end(bytes)
    }
    if (request.method === 'GET') return send()
    request.on('data', () => {})
    request.on('end', send)
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [page, row, port] = process.argv.slice(2)
  http.createServer(prepared(readFileSync(page), readFileSync(row))).listen(port, '127.0.0.1')
}
