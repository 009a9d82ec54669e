// The application: one page, on a server that has no API.
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'

createServer(({ url }, response) => {
  if (url !== '/') return response.writeHead(404).end()
  response.writeHead(200, { 'content-type': 'text/html' }).end(readFileSync('index.html'))
}).listen(process.env.PORT ?? 4173, '127.0.0.1')
