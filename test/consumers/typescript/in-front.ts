import express from 'express'
import { HttpResponse, http } from 'msw'
import { createSimulator } from 'understudy-api'
import { listen } from 'understudy-api/node'

const own = express.Router().get('/own', (_request, response) => {
  response.json({ hello: 'world' })
})
const me = http.get('*/api/users/@me/', () => HttpResponse.json({ id: 1 }))

export const server = await listen(createSimulator(), { use: [own], handlers: [me] })
