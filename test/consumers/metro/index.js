import { setupServer } from 'msw/native'
import { createSimulator } from 'understudy-api'

const simulator = createSimulator({ world: 'default' })
setupServer(...simulator.handlers).listen()
globalThis.countAnnotations = async () => {
  const headers = { authorization: 'Bearer phx_all' }
  const url = 'https://app.example.com/api/projects/1/annotations/'
  return (await (await fetch(url, { headers })).json()).count
}
