test('an empty world has no annotations', async () => {
  const { withSimulator } = await import('understudy-api/node')
  await withSimulator({ world: 'empty' }, async ({ as }) => {
    const url = 'https://app.example.com/api/projects/1/annotations/'
    const page = await (await fetch(url, as('all'))).json()
    expect(page.count).toBe(0)
  })
})
