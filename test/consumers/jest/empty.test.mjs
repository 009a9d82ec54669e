import { withSimulator } from 'understudy-api/node'

test('an empty world has no annotations', () =>
  withSimulator({ world: 'empty' }, async ({ as }) => {
    const url = 'https://app.example.com/api/projects/1/annotations/'
    const page = await (await fetch(url, { headers: as('all').headers })).json()
    expect(page.count).toBe(0)
  }))
