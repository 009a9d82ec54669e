import { test as simulated } from 'understudy-api/vitest'
import { expect, test } from 'vitest'

const path = '/api/projects/1/annotations/'

test('a request reaches the server of exec', async () => {
  const { UNDERSTUDY_URL: baseURL, UNDERSTUDY_KEY } = process.env
  const headers = { authorization: `Bearer ${UNDERSTUDY_KEY}` }

  expect(await $fetch(path, { baseURL, headers })).toMatchObject({ count: 6 })
})

simulated('a request does not reach a simulator in this process', async ({ as }) => {
  await fetch(`https://app.example.com${path}`, { headers: as('all').headers })
})
