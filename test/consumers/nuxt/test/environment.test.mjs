import { expect, test } from 'vitest'

// The environment replaces fetch, so that no simulator in this process answers.
test('a request reaches the server of exec', async () => {
  const { UNDERSTUDY_URL: baseURL, UNDERSTUDY_KEY } = process.env
  const headers = { authorization: `Bearer ${UNDERSTUDY_KEY}` }

  expect(await $fetch('/api/projects/1/annotations/', { baseURL, headers })).toMatchObject({
    count: 6,
  })
})
