import { createSimulator } from 'understudy-api'
import { listen } from 'understudy-api/node'

const server = await listen(createSimulator(), { port: 0 })
console.log(server.url)
await server.close()
