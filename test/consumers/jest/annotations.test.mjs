// understudy-api/node in Jest.
import http from 'node:http'
import { withSimulator } from 'understudy-api/node'

const annotations = 'https://app.example.com/api/projects/1/annotations/'

test('rows are listed', () =>
  withSimulator(async ({ simulator, as }) => {
    const page = await (await fetch(annotations, as('annotation:read'))).json()
    expect(page.count).toBe(6)
    expect(simulator.journal.verify({ operation: 'listAnnotations', count: 1 }).passed).toBe(true)
  }))

test('by a client of node:http, in a world of its own', () =>
  withSimulator({ world: 'empty' }, async ({ as }) => {
    const { headers } = as('all')
    const text = await new Promise((resolve, reject) => {
      const request = http.get(
        annotations.replace('https', 'http'),
        { headers },
        async (answer) => {
          const chunks = await answer.setEncoding('utf8').toArray()
          resolve(chunks.join(''))
        },
      )
      request.on('error', reject)
    })
    expect(JSON.parse(text).count).toBe(0)
  }))

test('what fails, fails the test, and leaves nothing behind', async () => {
  const before = globalThis.fetch
  const failed = withSimulator(() => {
    throw new Error('Mine')
  })
  await expect(failed).rejects.toThrow('Mine')
  expect(globalThis.fetch).toBe(before)
})
