// The floor: a server that sends prepared bytes. `node bare.mjs PAGE ROW PORT`
import { readFileSync } from 'node:fs'
import http from 'node:http'
import { fileURLToPath } from 'node:url'

/** Sends the same prepared page or row each time, so its bytes stay in the CPU cache. */
export function prepared(page, row) {
  return sending((url) => (url.includes('?') ? page : row))
}

/**
 * Sends a prepared buffer for each page of 100 and for each row, so the bytes come from memory, as they do in a server
 * that has the rows. A page is the one that contains the offset: one for each offset would take gigabytes.
 */
export function preparedEach(pages, rows) {
  return sending((url) => {
    if (url.includes('?')) return pages[Math.floor(numberAfter(url, '=') / 100)]
    return rows[(numberAfter(url.slice(0, -1), '/') || rows.length) - 1]
  })
}

/** The number behind the last separator. The rest of the URL is not read: this server routes nothing. */
const numberAfter = (url, separator) => Number(url.slice(url.lastIndexOf(separator) + 1))

/** Reads a body first where there is one. */
function sending(bytesOf) {
  return (request, response) => {
    const bytes = bytesOf(request.url)
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
