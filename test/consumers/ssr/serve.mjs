// The application: its server requests the rows with the key of its user, and renders them.
import { createServer } from 'node:http'
import { createElement as h } from 'react'
import { renderToString } from 'react-dom/server'

const { UNDERSTUDY_URL, PORT = 4173 } = process.env
const annotations = `${UNDERSTUDY_URL}/api/projects/1/annotations/`

const keyOf = ({ headers }) => /\bkey=([^;]+)/.exec(headers.cookie ?? '')?.[1]

const pageOf = ({ results = [], detail }) =>
  h('main', null, [
    h('p', { key: 'detail', role: 'alert' }, detail),
    h(
      'ul',
      { key: 'rows' },
      results.map(({ id, content }) => h('li', { key: id }, content)),
    ),
    h('form', { key: 'form', method: 'POST' }, h('button', { type: 'submit' }, 'Add')),
  ])

createServer(async (request, response) => {
  const headers = { authorization: `Bearer ${keyOf(request)}`, 'content-type': 'application/json' }
  if (request.method === 'POST') {
    const body = JSON.stringify({ content: 'Made on the server' })
    await fetch(annotations, { method: 'POST', headers, body })
    return response.writeHead(303, { location: '/' }).end()
  }
  const page = await (await fetch(annotations, { headers })).json()
  response.writeHead(200, { 'content-type': 'text/html' }).end(renderToString(pageOf(page)))
}).listen(PORT, '127.0.0.1')
