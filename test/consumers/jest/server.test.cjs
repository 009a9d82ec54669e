// Without the flag for ES modules: the server of `exec`.
const { UNDERSTUDY_URL, UNDERSTUDY_KEY } = process.env

test('rows of a server', async () => {
  const headers = { authorization: `Bearer ${UNDERSTUDY_KEY}` }
  const response = await fetch(`${UNDERSTUDY_URL}/api/projects/1/annotations/`, { headers })
  expect((await response.json()).count).toBe(6)
})
