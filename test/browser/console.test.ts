import { expect } from 'vitest'
import { annotationsPath } from '../support/api/paths.ts'
import { withChromium } from '../support/browser/chromium.ts'
import { serveOffline } from './offline.ts'

withChromium('the console has a line for each request, with the reason of a refusal', async () => {
  const { open, url } = await serveOffline()
  const { ask, lines } = await open(url, { quiet: false, baseUrl: 'https://app.example.com' })

  await ask('GET', `${annotationsPath}?search=50%25&limit=1`)
  await ask('PATCH', `${annotationsPath}2/`, { deleted: 'maybe' })
  await ask('POST', annotationsPath, { content: 'Typo', scop: 'project' })
  await ask('GET', '/api/projects/1/annotation/')

  await expect
    .poll(() => lines)
    .toEqual([
      `info: [Understudy] 200 GET ${annotationsPath}?search=50%25&limit=1, key "all"`,
      `warning: [Understudy] 400 PATCH ${annotationsPath}2/, key "all" – body.deleted: Must be a valid boolean`,
      `info: [Understudy] 201 POST ${annotationsPath}, key "all" – ignored: body.scop, did you mean scope?`,
      'warning: [Understudy] 404 GET /api/projects/1/annotation/, key "all" – no operation has the path `/api/projects/1/annotation/` (nearest: GET /api/projects/:project_id/annotations; segment 4: expected annotations, got annotation)',
    ])
})

withChromium('a path that the API lacks has a hint, on the origin of the page, too', async () => {
  const { open, url } = await serveOffline()
  const { page, said, errors } = await open(url, { quiet: false })
  await said()

  await page.evaluate(() => fetch('/v1/projects/1/annotations/'))

  await expect
    .poll(() => errors.filter((text) => text.includes('simulator')))
    .toEqual([
      `The simulator has no operation at ${url}v1/projects/1/annotations/. Did you mean /api/projects/1/annotations/?`,
    ])
})
