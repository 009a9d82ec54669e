import { createServer } from 'node:net'

// The port of the server that no request may reach, which each file starts.
const DOORS_PORT = await new Promise((resolve) => {
  const server = createServer().listen(0, '127.0.0.1', () => {
    const { port } = server.address()
    server.close(() => resolve(String(port)))
  })
})
const url = `http://app.example.com:${DOORS_PORT}`
const environmentOptions = { jsdom: { url }, happyDOM: { url } }
// Before the clients, of which some keep fetch.
const setupFiles = ['understudy-api/vitest']
const projects = ['node', 'jsdom', 'happy-dom'].map((environment) => ({
  test: { name: environment, environment, environmentOptions, env: { DOORS_PORT }, setupFiles },
}))

export default { test: { projects, maxWorkers: 1 } }
