import { test } from 'understudy-api/vitest'
import { expect } from 'vitest'

test('the fixture answers, and every entry loads', async ({ as }) => {
  const response = await fetch('https://app.example.com/api/projects/1/annotations/', as('all'))
  const entries = await Promise.all([
    import('understudy-api'),
    import('understudy-api/node'),
    import('understudy-api/browser'),
    import('understudy-api/express'),
    import('understudy-api/factories'),
    import('understudy-api/playwright'),
    import('understudy-api/playwright/reporter'),
    import('understudy-api/vitest/reporter'),
  ])

  expect((await response.json()).count).toBe(6)
  for (const entry of entries) expect(Object.keys(entry)).not.toEqual([])
})
