// The entries that a test of Jest imports, without a flag and without an entry in `transformIgnorePatterns`.
import express from 'express'
import { connect, createSimulator, UsageError } from 'understudy-api'
import { toExpress } from 'understudy-api/express'
import { createSweptSimulator, listen, readWorld } from 'understudy-api/node'

const headers = { authorization: 'Bearer phx_all' }
const countOf = async (response: Response): Promise<number> => (await response.json()).count

test('a server, its client, and a scenario', async () => {
  const server = await listen(createSimulator())
  const remote = connect(server.url)
  const rows = await remote.world.find('annotations')
  const result = await remote.scenarios.run('two-editors-last-write-wins')
  const dashboard = await fetch(`${server.url}/__admin/`)
  await server.close()

  expect(rows.count).toBeGreaterThan(0)
  expect(result.passed).toBe(true)
  expect(await dashboard.text()).toContain('<title>')
})

test('middleware in an application', async () => {
  const app = express().use('/mock', toExpress(createSimulator().handlers))
  const server = app.listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const { port } = server.address() as { port: number }
  const path = '/mock/api/projects/1/annotations/'

  const response = await fetch(`http://127.0.0.1:${port}${path}`, { headers })
  server.close()
  server.closeAllConnections()

  expect(await countOf(response)).toBe(6)
})

test('rows are not generated, and the error says why', async () => {
  const generated = readWorld('crowded')

  await expect(generated).rejects.toThrow(/^Failed to generate rows: Jest cannot load @faker-js/)
  await expect(readWorld('none')).rejects.toBeInstanceOf(UsageError)
})

test('a simulator that a sweep would change', async () => {
  const { settings } = createSweptSimulator({ profile: 'live' })
  expect(settings.get('annotations.delete.status')).toBe('405_empty')
})
