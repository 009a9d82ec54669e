import { HttpResponse, http } from 'msw'
import { test } from 'understudy-api/vitest'
import { expect } from 'vitest'

test('an API beside the simulator', async ({ simulator, as }) => {
  simulator.use(http.get('https://flags.example.com/', () => HttpResponse.json({ beta: true })))

  expect(await (await fetch('https://flags.example.com/')).json()).toEqual({ beta: true })
  expect((await fetch('https://app.example.com/api/projects/', as('all'))).status).toBe(200)
})
