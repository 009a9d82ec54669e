// A test of the project without a simulator stays as it was.
import { expect, test } from 'vitest'
import { flags } from './server.mjs'

test('the handlers of the project answer', async () => {
  expect(await (await fetch(flags)).json()).toBe('project')
})

test('paths of the API are unknown', async () => {
  await expect(fetch('https://app.example.com/api/projects/')).rejects.toThrow()
})
