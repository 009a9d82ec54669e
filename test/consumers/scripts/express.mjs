// understudy-api/express: below a path of an application.
import http from 'node:http'
import express from 'express'
import { createSimulator } from 'understudy-api'
import { toExpress } from 'understudy-api/express'

const app = express().use(
  express.json(),
  express.Router().use('/mock', toExpress(createSimulator().handlers)),
)
app.use((_request, response) => response.status(404).json('mine'))
const server = http.createServer(app).listen(0, '127.0.0.1')
await new Promise((resolve) => server.once('listening', resolve))
const url = `http://127.0.0.1:${server.address().port}`
const headers = { authorization: 'Bearer phx_all', 'content-type': 'application/json' }

const page = await fetch(`${url}/mock/api/projects/1/annotations/?limit=1`, { headers })
const created = await fetch(`${url}/mock/api/projects/1/annotations/`, {
  method: 'POST',
  headers,
  body: '{"content":"Mounted"}',
})
const other = await fetch(`${url}/other`)
server.close()
server.closeAllConnections()
console.log(
  JSON.stringify({
    next: (await page.json()).next.replace(url, ''),
    created: (await created.json()).content,
    other: await other.json(),
  }),
)
